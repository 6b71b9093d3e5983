// Keys, only while the widget has the focus.

import { ERROR, QUESTION } from "./wire.js";

export const HELP = [
  ["\u2190 \u2192", "step"], ["\u2191 \u2193", "lane"], ["Home End", "first, head"], ["e E", "next, previous error"], ["i", "next question"],
  ["a b", "set A, B"], ["x", "swap A and B"], ["d s t", "Diff, State, Tasks"], ["f", "fork"], ["r", "replay"], ["+ \u2212 0", "zoom"], ["?", "help"], ["Esc", "leave"],
];

export function keys(root, store, { details, timeline, editor, help }) {
  const { rows } = store;
  const commands = {
    ArrowLeft: () => store.select(rows.along(store.selected, -1)),
    ArrowRight: () => store.select(rows.along(store.selected, 1)),
    ArrowUp: () => store.select(rows.across(store.selected, -1)),
    ArrowDown: () => store.select(rows.across(store.selected, 1)),
    Home: () => store.select(0),
    End: () => store.select(rows.head),
    e: () => store.select(rows.next(ERROR, store.selected)),
    E: () => store.select(rows.next(ERROR, store.selected, -1)),
    i: () => store.select(rows.next(QUESTION, store.selected)),
    a: () => store.mark(store.a === store.selected ? null : store.selected, store.b),
    b: () => store.mark(store.a, store.b === store.selected ? null : store.selected),
    x: () => store.mark(store.b, store.a),
    d: () => details?.show("diff"),
    s: () => details?.show("state"),
    t: () => details?.show("tasks"),
    f: () => start("fork"),
    r: () => start("replay"),
    "+": () => timeline?.zoomBy(1.6),
    "=": () => timeline?.zoomBy(1.6),
    "-": () => timeline?.zoomBy(1 / 1.6),
    0: () => timeline?.zoomBy(0),
    "?": help,
  };
  const start = (action) => { if (store.state?.steerable && !store.busy) editor.start(action); };

  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "Escape") {
      if (editor.action !== null) { editor.close(); root.focus(); }
      else { document.activeElement?.blur(); }
      event.preventDefault();
      return;
    }
    const command = typing ? null : commands[event.key];
    if (!command || !rows.count) return;
    command();
    event.preventDefault();
  });
}
