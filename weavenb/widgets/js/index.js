// One widget, any subset of the panels.

import { actions, alerts } from "./actions.js";
import { details } from "./details.js";
import { h } from "./dom.js";
import { Editor } from "./editor.js";
import { graph } from "./graph.js";
import { header } from "./header.js";
import { HELP, keys } from "./keys.js";
import { Store } from "./store.js";
import { followTheme } from "./theme.js";
import { timeline } from "./timeline.js";

function render({ model, el }) {
  const store = new Store(model);
  const panels = new Set(model.get("panels"));
  const editor = new Editor(store);
  const root = h("div", { class: "wn", tabindex: "0", "data-lm-suppress-shortcuts": "true", role: "group", "aria-label": "Debugger" });
  const closers = [];
  const made = {};
  // Attached before the panels are made, so that they can measure.
  el.append(root);
  const add = (part) => root.append(part.element ?? part);

  if (panels.has("header")) add(header(store));
  add(alerts(store));
  if (panels.has("graph") || panels.has("details")) {
    const main = h("div", { class: "wn-main" });
    root.append(main);
    if (panels.has("graph")) { const picture = graph(store); main.append(picture.element); closers.push(picture.close); }
    if (panels.has("details")) { made.details = details(store, model, editor); main.append(made.details.element); closers.push(made.details.close); }
  }
  if (panels.has("timeline")) { made.timeline = timeline(store); add(made.timeline); closers.push(made.timeline.close); }
  if (panels.has("actions")) add(actions(store, editor));
  root.dataset.panels = [...panels].join(" ");
  if (panels.size > 3) root.classList.add("wn-whole");

  const help = h("div", { class: "wn-help", hidden: true, role: "dialog", "aria-label": "Keys" },
    h("h3", {}, "Keys"), h("dl", {}, HELP.map(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])));
  root.append(help);
  const toggleHelp = () => { help.hidden = !help.hidden; };
  const head = root.querySelector(".wn-header");
  head?.append(h("button", { type: "button", class: "wn-tool", title: "Keys (?)", "aria-label": "Keys", onclick: toggleHelp }, "?"));
  keys(root, store, { details: made.details, timeline: made.timeline, editor, help: toggleHelp });
  root.addEventListener("click", (event) => { if (!help.hidden && !event.target.closest(".wn-help, .wn-tool")) help.hidden = true; });
  root.addEventListener("pointerenter", () => store.refresh());
  const narrow = new ResizeObserver(() => root.classList.toggle("wn-narrow", root.clientWidth < 720));
  narrow.observe(root);
  closers.push(() => narrow.disconnect());
  closers.push(followTheme(root, model, () => store.tell("theme")));
  store.hello();

  return () => {
    for (const close of closers) close();
    store.close();
  };
}

export default { render };
