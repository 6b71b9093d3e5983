// A shown value (weavenb/payload/shown.py) as text or as a tree.

import { bytes, h, number } from "./dom.js";

const OPENED = 2;

export function inline(value, limit = 160) {
  if (!value) return h("span", {});
  return h("span", { class: "wn-value", "data-type": value.t }, clip(text(value), limit), size(value));
}

export function text(value, depth = 3) {
  if (!value.items) return value.t === "str" ? JSON.stringify(value.s) + (value.more ? "\u2026" : "") : value.s;
  const [open, close] = brackets(value);
  if (depth === 0 && value.n) return `${open}\u2026${close}`;
  const named = open.endsWith("{") && value.t !== "set" && value.t !== "frozenset";
  const parts = value.items.map(([key, item]) => (named ? `${key}: ` : "") + text(item, depth - 1));
  if (value.more) parts.push(`\u2026 ${value.more} more`);
  return open + parts.join(", ") + close;
}

function brackets(value) {
  if (value.t === "list") return ["[", "]"];
  if (value.t === "tuple") return ["(", ")"];
  if (value.t === "dict") return ["{", "}"];
  return [`${value.t}{`, "}"];
}

export function clip(said, limit) { return said.length > limit ? `${said.slice(0, limit - 1)}\u2026` : said; }

function size(value) {
  const said = value.bytes ? `  ${bytes(value.bytes)}` : value.t === "str" && value.more ? `  ${number(value.more)} more characters` : "";
  return said ? h("span", { class: "wn-muted" }, said) : null;
}

export function tree(key, value, depth = 0) {
  const name = key === null ? null : h("span", { class: "wn-key" }, key);
  if (!value.items || value.n === 0) {
    const leaf = value.t === "str" && value.s.length > 80
      ? h("span", { class: "wn-value wn-long", "data-type": "str", tabindex: "0" }, value.s, size(value))
      : inline(value, 400);
    return h("div", { class: "wn-leaf" }, name, leaf, typed(value));
  }
  const body = h("div", { class: "wn-branch" });
  const node = h("details", { class: "wn-node" },
    h("summary", {}, name, h("span", { class: "wn-muted wn-digest" }, `${value.t} of ${number(value.n)}  `), inline(value, 70)), body);
  const grow = () => {
    if (body.childNodes.length) return;
    body.append(...value.items.map(([inner, item]) => tree(inner || "\u00b7", item, depth + 1)));
    if (value.more) body.append(h("div", { class: "wn-leaf wn-muted" }, `\u2026 ${number(value.more)} more not shown`));
  };
  node.addEventListener("toggle", () => { if (node.open) grow(); });
  if (depth < OPENED && value.n <= 12 && text(value).length > 60) { node.open = true; grow(); }
  return node;
}

const PLAIN = new Set(["str", "int", "float", "bool", "None"]);
function typed(value) { return PLAIN.has(value.t) ? null : h("span", { class: "wn-type" }, value.t); }
