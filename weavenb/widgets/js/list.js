// The timeline as a table, for those who would rather read: the rows around the selected one.

import { duration, fill, h, number, unseen } from "./dom.js";
import { ERROR, QUESTION } from "./wire.js";

const SHOWN = 60;

export function list(store) {
  const body = h("tbody", {});
  const note = h("p", { class: "wn-muted wn-note" });
  const element = h("div", { class: "wn-list", hidden: true, tabindex: "0", role: "region", "aria-label": "Checkpoints" },
    h("table", { class: "wn-table" }, h("thead", {}, h("tr", {}, [unseen("state"), "step", "node", "lane", "changed", "took"].map((name) => h("th", { scope: "col" }, name)))), body), note);

  function row(index) {
    const { rows } = store;
    const flags = rows.flags(index);
    const sign = flags & ERROR ? ["\u2717", "error"] : flags & QUESTION ? ["\u2016", "interrupted"] : ["", "ok"];
    return h("tr", { "aria-selected": String(index === store.selected), onclick: () => store.select(index) },
      h("td", { "data-look": sign[1] }, sign[0]), h("td", {}, number(rows.step(index))), h("td", {}, rows.who(index)), h("td", {}, rows.lanes[rows.lane(index)].label),
      h("td", {}, rows.tables.changed[rows.columns.changed[index]].split("\n").join(", ")), h("td", {}, duration(rows.duration(index))));
  }

  function draw() {
    if (element.hidden) return;
    const { count } = store.rows;
    const last = Math.min(count - 1, (store.selected ?? 0) + SHOWN / 2 - 1);
    const first = Math.max(0, last - SHOWN + 1);
    const shown = Array.from({ length: Math.max(0, Math.min(count - first, SHOWN)) }, (_, place) => first + place);
    fill(body, shown.map(row));
    fill(note, count > SHOWN ? `${number(first + 1)} to ${number(first + shown.length)} of ${number(count)}` : "");
    body.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  store.on((what) => { if (["rows", "selected", "state"].includes(what)) draw(); });
  return { element, toggle: () => { element.hidden = !element.hidden; draw(); return !element.hidden; } };
}
