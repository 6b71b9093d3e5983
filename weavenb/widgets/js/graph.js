// The picture Python drew, taken over element by element, with what the selected row says of each node.

import { fill, h } from "./dom.js";

const LEAST = 0.6;
const SVG = "http://www.w3.org/2000/svg";
const TAGS = new Set(["svg", "g", "path", "polygon", "polyline", "ellipse", "circle", "rect", "line", "text", "tspan", "title"]);
const ATTRIBUTES = new Set(("id class d points cx cy r rx ry x y x1 y1 x2 y2 width height viewBox transform fill stroke stroke-width "
  + "stroke-dasharray stroke-linecap stroke-linejoin paint-order font-size font-family font-weight text-anchor role aria-label data-edge").split(" "));
const SIGNS = { done: "\u2713", failed: "\u2717", waiting: "\u2016", current: "\u25b6", pending: "\u2026" };
const SAID = { done: "done", failed: "failed", waiting: "waiting for an answer", current: "just ran", pending: "to run next" };

function taken(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.has(node.localName)) return null;
  const made = document.createElementNS(SVG, node.localName);
  for (const { name, value } of node.attributes) {
    if (ATTRIBUTES.has(name) && !/url\s*\(/i.test(value)) made.setAttribute(name, value);
  }
  for (const child of node.childNodes) {
    const inner = taken(child);
    if (inner) made.append(inner);
  }
  return made;
}

export function graph(store) {
  const canvas = h("div", { class: "wn-graph-canvas" });
  const text = h("p", { class: "wn-visually-hidden" });
  const zoom = { value: 1, fitted: true };
  const ways = [["\u2212", "Zoom out", 0.8], ["+", "Zoom in", 1.25], ["Fit", "Fit the graph", 0]];
  const tools = h("div", { class: "wn-tools" }, ways.map(([label, title, by]) =>
    h("button", { type: "button", class: "wn-tool", title, "aria-label": title, onclick: () => scale(by) }, label)));
  const element = h("section", { class: "wn-panel wn-graph", "aria-label": "Graph" },
    h("div", { class: "wn-panel-head" }, h("h3", {}, "Graph"), h("span", { class: "wn-grow" }), tools), canvas, text);
  let drawn = null;
  let size = null;

  // Fitting, but never smaller than can be read: then it scrolls.
  function scale(by) {
    if (!drawn) return;
    const fits = Math.min((canvas.clientWidth - 28) / size[0], (canvas.clientHeight - 18) / size[1], 1.15);
    zoom.fitted = by === 0 || (by === null && zoom.fitted);
    if (zoom.fitted) zoom.value = Math.max(LEAST, fits || 1);
    else if (by) zoom.value = Math.min(4, Math.max(0.25, zoom.value * by));
    drawn.setAttribute("width", String(size[0] * zoom.value));
    drawn.setAttribute("height", String(size[1] * zoom.value));
  }

  function draw() {
    drawn = null;
    if (!store.graph) { fill(canvas); return; }
    if (!store.graph.svg) { fill(canvas, h("p", { class: "wn-empty" }, "Only the history is known here, not the graph.")); return; }
    const parsed = new DOMParser().parseFromString(store.graph.svg, "image/svg+xml").documentElement;
    drawn = parsed.localName === "svg" ? taken(parsed) : null;
    if (!drawn) return;
    // The picture's nodes can be pressed, which those of an image cannot.
    drawn.setAttribute("role", "group");
    size = [Number(drawn.getAttribute("width")) || 300, Number(drawn.getAttribute("height")) || 200];
    fill(canvas, drawn);
    scale(0);
    mark();
    marks();
  }

  // To the node's newest checkpoint, of the thread looked at if it has one there; from there to the one before.
  function goTo(name) {
    const { rows } = store;
    const made = rows.by(name);
    const thread = (at) => rows.lanes[rows.lane(at)].thread;
    const own = store.selected === null ? [] : made.filter((at) => thread(at) === thread(store.selected));
    const ways = own.length ? own : made;
    const place = ways.indexOf(store.selected);
    if (ways.length) store.select(ways[(place + 1) % ways.length]);
  }

  function pressable(group, name) {
    const can = store.rows.by(name).length > 0;
    group.classList.toggle("wn-pressable", can);
    const said = { role: "button", tabindex: "0", "aria-label": `${name}: to its newest checkpoint, then the one before` };
    for (const [key, value] of Object.entries(said)) if (can) group.setAttribute(key, value); else group.removeAttribute(key);
    group.onclick = can ? () => goTo(name) : null;
    group.onkeydown = can ? (event) => { if (event.key === "Enter" || event.key === " ") { goTo(name); event.preventDefault(); } } : null;
  }

  function marks() {
    if (!drawn) return;
    store.graph.nodes.forEach((node, place) => {
      const group = drawn.querySelector(`#n${place}`);
      if (group && node.kind !== "start" && node.kind !== "end") pressable(group, node.name);
    });
  }

  function mark() {
    if (!drawn) return;
    const states = (store.rows.count && store.details?.states) || {};
    const told = [];
    store.graph.nodes.forEach((node, place) => {
      const group = drawn.querySelector(`#n${place}`);
      if (!group) return;
      group.querySelector(".wn-badge")?.remove();
      const state = states[node.name];
      group.setAttribute("data-state", state ?? "idle");
      if (!state || node.kind === "start" || node.kind === "end") return;
      told.push(`${node.name}: ${SAID[state]}`);
      const box = group.querySelector("rect, ellipse, polygon")?.getBBox();
      if (box) group.append(badge(box, state));
    });
    fill(text, told.length ? `Graph at the selected checkpoint. ${told.join("; ")}.` : "");
  }

  function badge(box, state) {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "wn-badge");
    group.setAttribute("transform", `translate(${box.x + box.width - 3} ${box.y + 3})`);
    const disc = document.createElementNS(SVG, "circle");
    disc.setAttribute("r", "8.5");
    const sign = document.createElementNS(SVG, "text");
    sign.setAttribute("text-anchor", "middle");
    sign.setAttribute("y", "3.8");
    sign.setAttribute("font-size", "11");
    sign.textContent = SIGNS[state];
    group.append(disc, sign);
    return group;
  }

  store.on((what) => {
    if (what === "graph") draw();
    else if (what === "details") mark();
    else if (what === "rows") { mark(); marks(); }
  });
  draw();
  const observer = new ResizeObserver(() => scale(null));
  observer.observe(canvas);
  return { element, close: () => observer.disconnect() };
}
