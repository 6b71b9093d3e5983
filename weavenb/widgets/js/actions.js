// The buttons that write. Each shows its code first; a second press runs it, once.

import { button, copy, fill, h } from "./dom.js";

const ACTIONS = [["update", "Edit state", "Update"], ["fork", "Fork", "Fork"], ["replay", "Replay", "Replay"], ["resume", "Resume", "Resume"]];
const TITLES = {
  update: "Write values after this checkpoint",
  fork: "Go another way from this checkpoint (f)",
  replay: "Run on from this checkpoint (r)",
  resume: "Answer what the run waits for",
};

export function actions(store, editor) {
  const bar = h("div", { class: "wn-bar", role: "toolbar", "aria-label": "Actions" });
  const code = h("code", { class: "wn-code" });
  const line = h("div", { class: "wn-code-line" });
  const element = h("section", { class: "wn-actions", "aria-label": "Actions" }, bar, line);
  let shown = null;
  let problem = null;
  let timer = null;
  let ready = null;
  let turn = 0;

  function waits() { return store.details?.row === store.selected && store.details.questions?.length > 0; }
  function canStart(action) {
    if (!store.state?.steerable || store.selected === null || store.busy) return false;
    return action !== "resume" || waits();
  }

  function drawBar() {
    fill(bar, ACTIONS.map(([action, label]) => button(label, () => (editor.action === action ? editor.close() : editor.start(action)), {
      class: "wn-button", "aria-pressed": String(editor.action === action), disabled: !canStart(action), title: TITLES[action], "data-action": action,
    })), h("span", { class: "wn-grow" }), hint());
  }

  function hint() {
    if (store.busy) return h("span", { class: "wn-muted wn-working" }, h("i", { class: "wn-spinner" }), `${store.busy} is running\u2026`);
    if (store.state && !store.state.steerable) return h("span", { class: "wn-muted" }, "This history can be read, not steered.");
    if (editor.action === "replay") {
      const next = store.details?.row === store.selected ? store.details.next : [];
      return h("span", { class: "wn-muted" }, next.length ? `Runs ${next.join(", ")} and what follows, with this cell's graph.` : "Nothing is left to run here.");
    }
    return editor.action ? h("span", { class: "wn-muted" }, `at ${store.rows.named(store.selected)}`) : h("span", { class: "wn-muted wn-idle" }, "Each action shows its code first.");
  }

  function drawLine() {
    line.hidden = editor.action === null;
    if (editor.action === null) return;
    const [, , label] = ACTIONS.find(([action]) => action === editor.action);
    const stop = editor.missing() ?? problem;
    fill(code, shown ?? "");
    const copied = button("Copy", async () => { await copy(shown ?? ""); copied.textContent = "Copied"; setTimeout(() => { copied.textContent = "Copy"; }, 1200); },
      { class: "wn-button", disabled: !shown });
    fill(line,
      stop ? h("span", { class: "wn-problem" }, stop) : h("span", { class: "wn-prompt", "aria-hidden": "true" }, "\u203a"), stop ? null : code,
      stop ? h("span", { class: "wn-grow" }) : null, copied,
      button(label, press, { class: "wn-button wn-primary", disabled: Boolean(stop) || !ready || Boolean(store.busy) }),
      button("Cancel", () => editor.close(), { class: "wn-button wn-quiet" }));
  }

  function press() {
    if (!ready) return;
    store.act(ready.action, ready.options, ready.at);
    editor.close();
  }

  // Asked of Python, since only it knows the ids; the last word wins.
  function preview() {
    clearTimeout(timer);
    turn += 1;
    ready = null;
    if (editor.action === null) { shown = null; problem = null; drawBar(); drawLine(); return; }
    drawBar();
    drawLine();
    timer = setTimeout(() => {
      const [action, asked] = [editor.action, turn];
      if (action === null || store.selected === null) return;
      const options = editor.options();
      store.send("preview", { action, row: store.selected, ...options }, (answer) => {
        if (turn !== asked) return;
        shown = answer.code ?? null;
        problem = answer.problem ?? answer.failure?.message ?? null;
        ready = shown === null ? null : { action, options, at: answer.at };
        drawLine();
      });
    }, 80);
  }

  store.on((what) => {
    if (what === "selected" && editor.action !== null) { editor.action === "resume" ? editor.close() : preview(); return; }
    if (what === "editor" || what === "edited") preview();
    if (["details", "state", "busy", "selected"].includes(what)) { drawBar(); drawLine(); }
  });
  drawBar();
  drawLine();
  return element;
}

export function alerts(store) {
  const element = h("div", { class: "wn-alerts" });
  function draw() {
    const failure = store.failure;
    const lost = store.kernel === "lost"
      ? h("div", { class: "wn-callout", "data-look": "waiting", role: "status" }, h("strong", {}, "The kernel does not answer."),
        h("p", {}, "It is busy or gone. What was read before can still be looked at; run the cell again when the kernel is back."))
      : null;
    const stale = store.state?.stale
      ? h("div", { class: "wn-callout wn-stale", "data-look": "waiting", role: "status" }, h("strong", {}, "This cell holds the graph as it was."),
        h("p", {}, "The newest checkpoint was made by other code. Run this cell again to see and steer the graph as it is now; until then, the buttons run the old code."))
      : null;
    fill(element, lost, stale, failure ? h("div", { class: "wn-callout", "data-look": "error", role: "alert" },
      h("div", { class: "wn-alert-head" }, h("span", { class: "wn-sign", "aria-hidden": "true" }, "\u2717"), h("strong", {}, failure.message.split("\n")[0]),
        h("span", { class: "wn-grow" }), h("code", { class: "wn-type" }, failure.code),
        button("\u00d7", () => { store.failure = null; draw(); store.tell("failure"); }, { class: "wn-tool", "aria-label": "Dismiss" })),
      failure.where ? h("div", { class: "wn-where" }, h("span", { class: "wn-muted" }, failure.where), failure.line ? h("code", {}, failure.line) : null) : null,
      failure.reading ? h("p", { class: "wn-way-out" }, "What was read before stays in sight. ", button("Try again", () => store.retry(), { class: "wn-button wn-small" }),
        " If it stays so, open the saver anew and run its cells and this one again.") : null,
      h("details", {}, h("summary", {}, "Traceback"), h("pre", {}, failure.traceback))) : null);
    element.hidden = !element.childNodes.length;
  }
  store.on((what) => { if (["failure", "kernel", "busy", "state"].includes(what)) draw(); });
  draw();
  return element;
}
