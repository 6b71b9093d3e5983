// One lane a branch, on a canvas: ten thousand checkpoints are one element.

import { fill, h, icon, number } from "./dom.js";
import { list } from "./list.js";
import { laneColours, paint } from "./paint.js";
import { ERROR, QUESTION } from "./wire.js";

const WIDEST = 92;
const MOST_LANES = 4;

export function timeline(store) {
  const canvas = h("canvas", { class: "wn-timeline-canvas", "aria-hidden": "true" });
  const slider = h("div", {
    class: "wn-timeline-track", role: "slider", tabindex: "0", "aria-label": "Checkpoint", "aria-orientation": "horizontal",
  }, canvas);
  const place = h("span", { class: "wn-place" });
  const signs = h("span", { class: "wn-signs" });
  const table = list(store);
  const listed = h("button", { type: "button", class: "wn-tool", title: "The same as a table", "aria-pressed": "false", onclick: () => {
    const on = table.toggle();
    slider.hidden = on;
    listed.setAttribute("aria-pressed", String(on));
    if (!on) draw();
  } }, "List");
  const tool = (label, title, press) => h("button", { type: "button", class: "wn-tool", title, "aria-label": title, onclick: press }, label);
  const element = h("section", { class: "wn-panel wn-timeline", "aria-label": "Timeline" },
    h("div", { class: "wn-panel-head" },
      h("div", { class: "wn-tools" },
        tool(icon("first"), "First checkpoint (Home)", () => store.select(0)),
        tool(icon("back"), "Step back (left)", () => store.select(store.rows.along(store.selected, -1))),
        tool(icon("forward"), "Step forward (right)", () => store.select(store.rows.along(store.selected, 1))),
        tool(icon("last"), "Head (End)", () => store.select(store.rows.head))),
      place, signs, h("span", { class: "wn-grow" }),
      h("div", { class: "wn-tools" },
        listed,
        tool("\u2212", "Zoom out (-)", () => zoomBy(1 / 1.6)),
        tool("+", "Zoom in (+)", () => zoomBy(1.6)),
        tool("Fit", "Show all (0)", () => zoomBy(0)))),
    slider, table.element);

  const view = { spacing: 0, left: 0, top: 0, width: 0, height: 0, fitted: true };
  let waiting = false;
  let unpainted = true;

  function gutter() {
    const longest = Math.max(4, ...store.rows.lanes.map((lane) => lane.label.length));
    return Math.min(140, view.width * 0.22, 26 + longest * 7);
  }
  function room() { return Math.max(40, view.width - gutter() - 26); }
  function fitting() { return store.rows.count ? Math.min(WIDEST, room() / store.rows.count) : WIDEST; }
  function roomy() { return view.spacing >= 54; }
  function laneHeight() { return roomy() ? 44 : 28; }
  function shownLanes() { return Math.max(1, Math.min(MOST_LANES, store.rows.lanes.length)); }
  function most() { return Math.max(0, store.rows.count - room() / view.spacing); }

  function layout() {
    if (view.fitted) { view.spacing = fitting(); view.left = 0; }
    view.left = Math.min(Math.max(0, view.left), most());
    view.top = Math.min(Math.max(0, view.top), Math.max(0, store.rows.lanes.length - shownLanes()));
    const height = shownLanes() * laneHeight() + 14;
    if (height !== view.height) {
      view.height = height;
      slider.style.height = `${height}px`;
    }
  }

  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      view.width = slider.clientWidth;
      if (!view.width) return;
      layout();
      const ratio = window.devicePixelRatio || 1;
      const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
      if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
      const pen = canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(pen, {
        ...view, gutter: gutter(), laneHeight: laneHeight(), roomy: roomy(), rows: store.rows, heads: store.state?.heads ?? [],
        selected: store.selected, a: store.a, b: store.b, colours: laneColours(element), lanesShown: shownLanes(),
      });
      if (unpainted && store.rows.count) {
        unpainted = false;
        performance.clearMarks("weavenb-painted");
        performance.mark("weavenb-painted");
      }
    });
  }

  function words() {
    const { rows } = store;
    if (!rows.count || store.selected === null) {
      fill(place, rows.count ? "" : "no checkpoint yet");
      slider.setAttribute("aria-valuetext", "no checkpoint");
      return;
    }
    const at = store.selected;
    fill(place, `${number(at + 1)} / ${number(rows.count)}`);
    slider.setAttribute("aria-valuemin", "1");
    slider.setAttribute("aria-valuemax", String(rows.count));
    slider.setAttribute("aria-valuenow", String(at + 1));
    const flags = rows.flags(at);
    const says = `${flags & ERROR ? ", failed" : ""}${flags & QUESTION ? ", asks a question" : ""}${at === rows.head ? ", head" : ""}`;
    slider.setAttribute("aria-valuetext", `step ${rows.step(at)}, ${rows.who(at)}, lane ${rows.lanes[rows.lane(at)].label}${says}`);
  }

  function counts() {
    const { errors, questions } = store.rows.count ? store.rows.totals() : { errors: 0, questions: 0 };
    const jump = (flag) => () => store.select(store.rows.next(flag, store.selected ?? -1));
    fill(signs,
      errors ? h("button", { type: "button", class: "wn-chip", "data-look": "error", title: "Next error (e)", onclick: jump(ERROR) }, `\u2717 ${errors} failed`) : null,
      questions ? h("button", { type: "button", class: "wn-chip", "data-look": "waiting", title: "Next question (i)", onclick: jump(QUESTION) }, `\u2016 ${questions} asked`) : null);
  }

  function reveal() {
    if (store.selected === null || !view.spacing) return;
    const seen = room() / view.spacing;
    if (store.selected < view.left) view.left = store.selected - Math.min(2, seen / 4);
    else if (store.selected > view.left + seen - 1) view.left = store.selected - seen + 1 + Math.min(2, seen / 4);
    const lane = store.rows.lane(store.selected);
    if (lane < view.top) view.top = lane;
    else if (lane >= view.top + shownLanes()) view.top = lane - shownLanes() + 1;
  }

  function zoomBy(by) {
    if (by === 0) view.fitted = true;
    else {
      const at = store.selected ?? 0;
      const kept = (at - view.left) * view.spacing;
      view.spacing = Math.min(WIDEST, Math.max(fitting(), view.spacing * by));
      view.fitted = view.spacing <= fitting() * 1.001;
      view.left = at - kept / view.spacing;
      reveal();
    }
    draw();
  }

  // The row under the pointer: of the lane pointed at if it has one near, else the nearest in order.
  function rowAt(event) {
    const box = canvas.getBoundingClientRect();
    const order = (event.clientX - box.left - gutter() - 13) / view.spacing + view.left - 0.5;
    const lane = Math.floor((event.clientY - box.top - 7) / laneHeight()) + Math.floor(view.top);
    const middle = Math.round(order);
    const reach = Math.max(1, Math.ceil(14 / view.spacing));
    let best = null;
    for (let index = Math.max(0, middle - reach); index <= Math.min(store.rows.count - 1, middle + reach); index += 1) {
      const off = Math.abs(index - order) * view.spacing + (store.rows.lane(index) === lane ? 0 : 40);
      if (best === null || off < best.off) best = { index, off };
    }
    return best?.index ?? Math.min(store.rows.count - 1, Math.max(0, middle));
  }

  slider.addEventListener("pointerdown", (event) => {
    if (!store.rows.count || event.button !== 0) return;
    slider.focus();
    slider.setPointerCapture(event.pointerId);
    const box = canvas.getBoundingClientRect();
    const lane = Math.floor((event.clientY - box.top - 7) / laneHeight()) + Math.floor(view.top);
    if (event.clientX - box.left < gutter() && store.rows.lanes[lane]) {
      for (let index = store.rows.count - 1; index >= 0; index -= 1) if (store.rows.lane(index) === lane) { store.select(index); break; }
    } else store.select(rowAt(event));
    event.preventDefault();
  });
  slider.addEventListener("pointermove", (event) => {
    if (event.buttons === 1 && slider.hasPointerCapture(event.pointerId)) store.select(rowAt(event));
    else if (store.rows.count) {
      const index = rowAt(event);
      slider.title = `step ${store.rows.step(index)} \u00b7 ${store.rows.who(index)} \u00b7 ${store.rows.lanes[store.rows.lane(index)].label}`;
    }
  });
  slider.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) { zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2); event.preventDefault(); return; }
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (sideways && !view.fitted) { view.left += (event.deltaX || event.deltaY) / view.spacing; event.preventDefault(); draw(); }
    else if (!sideways && store.rows.lanes.length > MOST_LANES) {
      const before = view.top;
      view.top += Math.sign(event.deltaY);
      layout();
      if (view.top !== before) event.preventDefault();
      draw();
    }
  }, { passive: false });

  store.on((what) => {
    if (what === "rows") unpainted = true;
    if (what === "rows" || what === "state") { counts(); words(); reveal(); draw(); }
    else if (what === "selected") { words(); reveal(); draw(); }
    else if (what === "marks" || what === "theme") draw();
  });
  const observer = new ResizeObserver(draw);
  observer.observe(slider);
  words();
  return { element, zoomBy, close: () => observer.disconnect() };
}
