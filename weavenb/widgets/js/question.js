// What a node asks: a sentence, and answers to choose from where it names some.

import { h } from "./dom.js";
import { tree } from "./values.js";

function field(value, names) {
  if (!value.items) return null;
  for (const name of names) {
    const found = value.items.find(([key]) => key === name);
    if (found) return found[1];
  }
  return null;
}

export function question(value) {
  if (value.t === "str") return h("p", { class: "wn-question" }, value.s);
  const said = field(value, ["question", "prompt", "message"]);
  if (said?.t !== "str") return h("div", { class: "wn-tree" }, tree(null, value));
  const rest = value.items.filter(([, item]) => item !== said && item !== choicesIn(value));
  return [h("p", { class: "wn-question" }, said.s), rest.length ? h("div", { class: "wn-tree" }, rest.map(([key, item]) => tree(key, item))) : null];
}

function choicesIn(value) {
  const found = field(value, ["choices", "options"]);
  return found?.items?.length && found.items.length <= 8 && found.items.every(([, item]) => !item.items) ? found : null;
}

export function choices(value, choose) {
  const found = choicesIn(value);
  if (!found) return null;
  return h("div", { class: "wn-chips" }, found.items.map(([, item]) => h("button", { type: "button", class: "wn-chip", onclick: () => choose(item.s) }, item.s)));
}
