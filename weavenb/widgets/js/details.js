// The selected checkpoint: what changed, the state, who worked.

import { button, duration, fill, h, number, plural, unseen } from "./dom.js";
import { question } from "./question.js";
import { clip, inline, tree } from "./values.js";

const SIGNS = { added: "+", removed: "\u2212", changed: "~" };
const TASKS = { ok: "\u2713", error: "\u2717", interrupted: "\u2016" };
const TABS = [["diff", "Diff"], ["state", "State"], ["tasks", "Tasks"]];

export function details(store, model, editor) {
  const title = h("div", { class: "wn-title" });
  const marks = h("div", { class: "wn-marks" });
  const tabs = h("div", { class: "wn-tabs", role: "tablist", "aria-label": "Details" });
  const body = h("div", { class: "wn-body", role: "tabpanel", tabindex: "0" });
  const element = h("section", { class: "wn-panel wn-details", "aria-label": "Checkpoint" },
    h("div", { class: "wn-panel-head" }, title, h("span", { class: "wn-grow" }), marks), tabs, body);
  let drawnFor = null;
  let late = null;

  function current() { return store.details && store.details.row === store.selected ? store.details : null; }

  function head() {
    const found = current();
    if (store.selected === null || !store.rows.count) { fill(title, h("h3", {}, "Checkpoint")); fill(marks); return; }
    const { rows } = store;
    const at = store.selected;
    const more = [rows.source(at) === "loop" ? null : rows.source(at), duration(rows.duration(at)), rows.lanes[rows.lane(at)].label, found?.label]
      .filter((part) => part && part !== rows.who(at));
    fill(title, h("h3", {}, rows.who(at)), h("span", { class: "wn-muted" }, [rows.step(at) < 0 ? null : `step ${number(rows.step(at))}`, ...more].filter(Boolean).join(" \u00b7 ")));
    fill(marks, mark("A", store.a, () => store.mark(store.a === at ? null : at, store.b)),
      mark("B", store.b, () => store.mark(store.a, store.b === at ? null : at)));
  }

  function mark(name, set, press) {
    const on = set !== null;
    const where = on && store.rows.step(set) >= 0 ? `step ${number(store.rows.step(set))}` : on ? store.rows.who(set) : "";
    const said = on ? `${name}: ${where}` : name;
    const title = on ? `Compare ${name === "A" ? "from" : "to"} ${where}` : `Set ${name} here (${name.toLowerCase()})`;
    return h("button", { type: "button", class: "wn-tool wn-mark", "aria-pressed": String(on), title, onclick: press }, said);
  }

  function drawTabs() {
    const found = current();
    const tab = model.get("tab");
    const counts = { diff: found ? found.diff.changes.length + found.diff.more : null, tasks: found?.tasks.length ?? null };
    fill(tabs, TABS.map(([name, label]) => h("button", {
      type: "button", class: "wn-tab", role: "tab", "aria-selected": String(!editor.open && tab === name), tabindex: !editor.open && tab === name ? "0" : "-1",
      onclick: () => show(name),
    }, label, counts[name] === null || counts[name] === undefined ? null : h("span", { class: "wn-badge-count" }, number(counts[name])))),
    editor.open ? h("button", { type: "button", class: "wn-tab", role: "tab", "aria-selected": "true" }, editor.title) : null);
  }

  function show(name) {
    editor.close();
    model.set("tab", name);
    model.save_changes();
    draw();
  }

  function draw() {
    head();
    drawTabs();
    const found = current();
    if (editor.open || (store.state && (found || !store.rows.count))) { clearTimeout(late); late = null; }
    if (editor.open) { if (body.firstChild !== editor.element) fill(body, editor.element); return; }
    if (!store.state && store.failure) { unread("Nothing could be read."); return; }
    if (!store.state) { waitThen(); return; }
    if (!store.rows.count) { fill(body, nothing()); return; }
    if (!found && store.unread === store.selected) { unread("This checkpoint could not be read."); return; }
    if (!found) { waitThen(); return; }
    if (found.gone) { fill(body, h("p", { class: "wn-empty" }, "This checkpoint is no longer there.")); return; }
    const tab = model.get("tab");
    const parts = [failed(found), asked(found)];
    if (found.other_code) parts.push(h("p", { class: "wn-muted wn-note" }, "Made by other code than this cell's graph, which is what the buttons run."));
    if (tab === "state") parts.push(h("div", { class: "wn-tree" }, found.values.items.map(([key, value]) => tree(key, value)),
      found.values.n ? null : h("p", { class: "wn-empty" }, "The state is empty.")));
    else if (tab === "tasks") parts.push(tasks(found));
    else parts.push(diff(found));
    const kept = drawnFor === tab ? body.scrollTop : 0;
    fill(body, parts);
    body.scrollTop = kept;
    drawnFor = tab;
  }

  function unread(said) {
    clearTimeout(late);
    late = null;
    fill(body, h("p", { class: "wn-empty" }, said));
  }

  // Grey bars, but only where the answer takes long enough to be missed.
  function waitThen() {
    if (late !== null) return;
    late = setTimeout(() => {
      late = null;
      if (!current()) fill(body, h("div", { class: "wn-bars", "aria-label": "loading" }, h("i", {}), h("i", {}), h("i", {})));
    }, 150);
  }

  function nothing() {
    const state = store.state;
    const others = state.threads.filter((one) => one.thread !== state.thread);
    const line = `app.invoke({...}, thread=${JSON.stringify(state.thread)})`;
    return h("div", { class: "wn-empty" },
      h("p", {}, h("strong", {}, state.status === null ? `There is no thread ${JSON.stringify(state.thread)}.` : "No checkpoint yet.")),
      h("p", {}, "To make one, run: ", h("code", {}, line)),
      others.length ? h("p", {}, "Threads that are there:") : null,
      others.length ? h("ul", { class: "wn-threads" }, others.slice(0, 12).map((one) => h("li", {},
        button(one.thread, () => store.send("thread", { thread: one.thread }), { class: "wn-link" }),
        h("span", { class: "wn-muted" }, ` ${one.status} \u00b7 ${plural(one.checkpoints, "checkpoint")}`)))) : null);
  }

  function failed(found) {
    // A run of this page that failed is told above already, with the user's line first.
    if (!found.error || store.failure?.code === "node_error") return null;
    const { node, text, traceback } = found.error;
    return h("div", { class: "wn-callout", "data-look": "error" },
      h("div", {}, h("span", { class: "wn-sign", "aria-hidden": "true" }, "\u2717"), h("strong", {}, `${node || "the run"} failed`)),
      h("code", { class: "wn-error-text" }, text),
      traceback && traceback !== text ? h("details", {}, h("summary", {}, "Traceback"), h("pre", {}, traceback)) : null,
      found.head ? h("p", { class: "wn-muted" }, "This cell holds the graph as it is now. Fix the code, run its cells again and this one too, then Replay from here.") : null);
  }

  function asked(found) {
    if (!found.questions.length) return null;
    return found.questions.map((one) => h("div", { class: "wn-callout", "data-look": found.head ? "waiting" : "past" },
      h("div", {}, h("span", { class: "wn-sign", "aria-hidden": "true" }, "\u2016"), h("strong", {}, one.kind === "question" ? `${one.node} ${found.head ? "asks" : "asked"}` : `stopped ${one.kind} ${one.node}`)),
      question(one.value),
      found.head && store.state.steerable ? button(one.kind === "question" ? "Answer\u2026" : "Go on\u2026", () => editor.start("resume"), { class: "wn-button wn-small" }) : null));
  }

  function diff(found) {
    const from = found.against;
    const note = from
      ? `compared with ${from.is_a ? "A, " : ""}${named(from)}`
      : "the first checkpoint, all of it is new";
    if (!found.diff.changes.length) {
      return h("div", { class: "wn-empty" }, h("p", {}, h("strong", {}, "Nothing changed.")), h("p", { class: "wn-muted" }, note));
    }
    return h("div", { class: "wn-diff" }, h("p", { class: "wn-muted wn-note" }, note),
      found.diff.changes.map((one) => change(one, found.by)),
      found.diff.more ? h("p", { class: "wn-muted wn-note" }, `${number(found.diff.more)} more changes not shown`) : null,
      found.unchanged.length ? h("p", { class: "wn-muted wn-note" }, h("span", { class: "wn-same" }, "="), `${found.unchanged.map((key) => clip(key, 60)).join(", ")} unchanged`) : null);
  }

  function named(row) {
    const who = row.nodes.join(", ") || row.source;
    return row.step < 0 ? `the ${who}` : `step ${number(row.step)} (${who})`;
  }

  function change(one, by) {
    return h("div", { class: "wn-change", "data-kind": one.kind },
      h("span", { class: "wn-sign", "aria-label": one.kind }, SIGNS[one.kind]),
      h("div", {}, h("div", { class: "wn-change-head" }, h("code", { class: "wn-path" }, one.path),
        one.delta ? h("span", { class: "wn-delta" }, one.delta) : null,
        by ? h("span", { class: "wn-muted wn-by" }, `by ${by}`) : null),
      h("div", { class: "wn-change-body" }, values(one))));
  }

  function values(one) {
    if (one.words) {
      return h("p", { class: "wn-words" }, one.words.map(([kind, said]) => h(kind === "-" ? "del" : kind === "+" ? "ins" : "span", {}, said)));
    }
    const big = (value) => value.items && value.n > 3;
    if (one.kind !== "changed") {
      const value = one.kind === "added" ? one.new : one.old;
      return big(value) ? h("div", { class: "wn-tree" }, tree(null, value)) : inline(value, 600);
    }
    return h("div", { class: "wn-pair" }, h("del", {}, inline(one.old, 300)), h("span", { class: "wn-arrow", "aria-label": "becomes" }, "\u2192"), h("ins", {}, inline(one.new, 300)),
      one.old.t === one.new.t ? null : h("span", { class: "wn-type" }, `${one.old.t} \u2192 ${one.new.t}`));
  }

  function tasks(found) {
    if (!found.tasks.length) return h("p", { class: "wn-empty" }, found.source === "loop" ? "No task is recorded here." : `Made by ${found.source}: no task ran.`);
    return h("table", { class: "wn-table" },
      h("thead", {}, h("tr", {}, [unseen("state"), "node", "attempt", "took", unseen("problem")].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.tasks.map((one) => h("tr", {},
        h("td", { "data-look": one.status }, TASKS[one.status] ?? one.status), h("td", {}, one.node), h("td", {}, one.attempt), h("td", {}, duration(one.duration)),
        h("td", {}, one.error ? h("code", {}, one.error) : one.status === "interrupted" ? "asked" : "")))));
  }

  store.on((what) => {
    if (["selected", "details", "state", "rows", "marks", "editor", "failure"].includes(what)) draw();
  });
  model.on("change:tab", draw);
  draw();
  return { element, show, close: () => model.off("change:tab", draw) };
}
