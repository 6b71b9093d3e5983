// Which graph, which thread, how it stands.

import { fill, h, plural } from "./dom.js";

const STATUS = {
  completed: ["\u2713", "completed", "ok"],
  interrupted: ["\u2016", "waiting for an answer", "waiting"],
  failed: ["\u2717", "failed", "error"],
  running: ["\u25b8", "running", "running"],
  stopped: ["\u25a0", "stopped", "idle"],
};
const DOING = { update: "updating\u2026", fork: "forking\u2026", replay: "replaying\u2026", resume: "running on\u2026" };

export function header(store) {
  const name = h("span", { class: "wn-graph-name" });
  const threads = h("select", { class: "wn-select", "aria-label": "Thread", onchange: () => store.send("thread", { thread: threads.value }) });
  const status = h("span", { class: "wn-status" });
  const count = h("span", { class: "wn-muted wn-count" });
  const pill = h("button", { type: "button", class: "wn-pill", hidden: true, onclick: () => store.select(store.arrived ?? store.rows.head) });
  const element = h("div", { class: "wn-header" },
    name, h("label", { class: "wn-thread" }, h("span", { class: "wn-muted" }, "thread"), threads), status, h("span", { class: "wn-grow" }), pill, count);

  function drawStatus() {
    const state = store.state;
    if (!state) { fill(status, h("span", { class: "wn-muted" }, store.failure ? "not read" : "loading\u2026")); return; }
    if (store.kernel !== "ok") { fill(status, h("span", { class: "wn-muted" }, "waiting for the kernel\u2026")); return; }
    // Of the thread looked at, which may be one that was forked from the thread chosen.
    const thread = store.selected === null || !store.rows.count ? state.thread : store.rows.lanes[store.rows.lane(store.selected)].thread;
    const said = thread === state.thread ? state.status : state.statuses[thread] ?? null;
    const [sign, text, look] = store.busy
      ? ["\u25b8", DOING[store.busy] ?? "working\u2026", "running"]
      : STATUS[said] ?? ["", said ?? "no such thread", "idle"];
    status.dataset.look = look;
    const whose = thread === state.thread || store.busy ? null : h("span", { class: "wn-whose" }, `${thread}:`);
    status.title = whose ? `${thread}: ${text}` : text;
    fill(status, whose, h("span", { class: "wn-sign", "aria-hidden": "true" }, sign), h("span", { class: "wn-said" }, text));
  }

  function draw() {
    const state = store.state;
    fill(name, store.graph?.name ?? "");
    drawStatus();
    if (!state) return;
    const listed = state.threads.map((one) => one.thread);
    if (!listed.includes(state.thread)) listed.unshift(state.thread);
    fill(threads, listed.map((thread) => h("option", { value: thread }, thread)));
    threads.value = state.thread;
    fill(count, plural(store.rows.count, "checkpoint"), store.rows.lanes.length > 1 ? h("span", { class: "wn-lane-count" }, ` \u00b7 ${plural(store.rows.lanes.length, "lane")}`) : null);
    pill.hidden = store.unseen === 0;
    fill(pill, `${store.unseen} new \u2192`);
  }

  store.on((what) => {
    if (["state", "rows", "graph", "selected"].includes(what)) draw();
    else if (["busy", "kernel", "failure"].includes(what)) drawStatus();
  });
  draw();
  return element;
}
