// dom.js
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === void 0) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== void 0 && child !== false));
  return element;
}
function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== void 0 && child !== false));
  return element;
}
function button(label2, press, attributes = {}) {
  return h("button", { type: "button", class: "wn-button", onclick: press, ...attributes }, label2);
}
var SVG = "http://www.w3.org/2000/svg";
var ICONS = {
  first: "M3.5 3v10M13 3.4v9.2L5.8 8z",
  back: "M11.5 3.4v9.2L4.3 8z",
  forward: "M4.5 3.4v9.2L11.7 8z",
  last: "M12.5 3v10M3 3.4v9.2L10.2 8z"
};
function icon(name) {
  const image = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: 13, height: 13, class: "wn-icon", "aria-hidden": "true" })) image.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  image.append(path);
  return image;
}
var unseen = (said) => h("span", { class: "wn-visually-hidden" }, said);
var number = (value) => value.toLocaleString("en-US");
var plural = (count, name) => `${number(count)} ${name}${count === 1 ? "" : "s"}`;
function duration(ms) {
  if (ms === null || ms === void 0 || Number.isNaN(ms)) return "";
  if (ms < 1) return "< 1 ms";
  if (ms < 1e3) return `${Math.round(ms)} ms`;
  if (ms < 6e4) return `${(ms / 1e3).toFixed(1)} s`;
  return `${Math.round(ms / 6e4)} min`;
}
function bytes(size2) {
  if (size2 < 1024) return `${size2} bytes`;
  if (size2 < 1024 * 1024) return `${(size2 / 1024).toFixed(1)} KB`;
  return `${(size2 / 1024 / 1024).toFixed(1)} MB`;
}
async function copy(text2) {
  try {
    await navigator.clipboard.writeText(text2);
  } catch {
    const field2 = h("textarea", { value: text2, style: "position:fixed;opacity:0" });
    document.body.append(field2);
    field2.select();
    document.execCommand("copy");
    field2.remove();
  }
}

// actions.js
var ACTIONS = [["update", "Edit state", "Update"], ["fork", "Fork", "Fork"], ["replay", "Replay", "Replay"], ["resume", "Resume", "Resume"]];
var TITLES = {
  update: "Write values after this checkpoint",
  fork: "Go another way from this checkpoint (f)",
  replay: "Run on from this checkpoint (r)",
  resume: "Answer what the run waits for"
};
function actions(store, editor) {
  const bar = h("div", { class: "wn-bar", role: "toolbar", "aria-label": "Actions" });
  const code = h("code", { class: "wn-code" });
  const line = h("div", { class: "wn-code-line" });
  const element = h("section", { class: "wn-actions", "aria-label": "Actions" }, bar, line);
  let shown = null;
  let problem = null;
  let timer = null;
  let ready = null;
  let turn = 0;
  function waits() {
    return store.details?.row === store.selected && store.details.questions?.length > 0;
  }
  function canStart(action) {
    if (!store.state?.steerable || store.selected === null || store.busy) return false;
    return action !== "resume" || waits();
  }
  function drawBar() {
    fill(bar, ACTIONS.map(([action, label2]) => button(label2, () => editor.action === action ? editor.close() : editor.start(action), {
      class: "wn-button",
      "aria-pressed": String(editor.action === action),
      disabled: !canStart(action),
      title: TITLES[action],
      "data-action": action
    })), h("span", { class: "wn-grow" }), hint());
  }
  function hint() {
    if (store.busy) return h("span", { class: "wn-muted wn-working" }, h("i", { class: "wn-spinner" }), `${store.busy} is running…`);
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
    const [, , label2] = ACTIONS.find(([action]) => action === editor.action);
    const stop = editor.missing() ?? problem;
    fill(code, shown ?? "");
    const copied = button(
      "Copy",
      async () => {
        await copy(shown ?? "");
        copied.textContent = "Copied";
        setTimeout(() => {
          copied.textContent = "Copy";
        }, 1200);
      },
      { class: "wn-button", disabled: !shown }
    );
    fill(
      line,
      stop ? h("span", { class: "wn-problem" }, stop) : h("span", { class: "wn-prompt", "aria-hidden": "true" }, "›"),
      stop ? null : code,
      stop ? h("span", { class: "wn-grow" }) : null,
      copied,
      button(label2, press, { class: "wn-button wn-primary", disabled: Boolean(stop) || !ready || Boolean(store.busy) }),
      button("Cancel", () => editor.close(), { class: "wn-button wn-quiet" })
    );
  }
  function press() {
    if (!ready) return;
    store.act(ready.action, ready.options, ready.at);
    editor.close();
  }
  function preview() {
    clearTimeout(timer);
    turn += 1;
    ready = null;
    if (editor.action === null) {
      shown = null;
      problem = null;
      drawBar();
      drawLine();
      return;
    }
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
    if (what === "selected" && editor.action !== null) {
      editor.action === "resume" ? editor.close() : preview();
      return;
    }
    if (what === "editor" || what === "edited") preview();
    if (["details", "state", "busy", "selected"].includes(what)) {
      drawBar();
      drawLine();
    }
  });
  drawBar();
  drawLine();
  return element;
}
function alerts(store) {
  const element = h("div", { class: "wn-alerts" });
  function draw() {
    const failure = store.failure;
    const lost = store.kernel === "lost" ? h(
      "div",
      { class: "wn-callout", "data-look": "waiting", role: "status" },
      h("strong", {}, "The kernel does not answer."),
      h("p", {}, "It is busy or gone. What was read before can still be looked at; run the cell again when the kernel is back.")
    ) : null;
    const stale = store.state?.stale ? h(
      "div",
      { class: "wn-callout wn-stale", "data-look": "waiting", role: "status" },
      h("strong", {}, "This cell holds the graph as it was."),
      h("p", {}, "The newest checkpoint was made by other code. Run this cell again to see and steer the graph as it is now; until then, the buttons run the old code.")
    ) : null;
    fill(element, lost, stale, failure ? h(
      "div",
      { class: "wn-callout", "data-look": "error", role: "alert" },
      h(
        "div",
        { class: "wn-alert-head" },
        h("span", { class: "wn-sign", "aria-hidden": "true" }, "✗"),
        h("strong", {}, failure.message.split("\n")[0]),
        h("span", { class: "wn-grow" }),
        h("code", { class: "wn-type" }, failure.code),
        button("×", () => {
          store.failure = null;
          draw();
          store.tell("failure");
        }, { class: "wn-tool", "aria-label": "Dismiss" })
      ),
      failure.where ? h("div", { class: "wn-where" }, h("span", { class: "wn-muted" }, failure.where), failure.line ? h("code", {}, failure.line) : null) : null,
      failure.reading ? h(
        "p",
        { class: "wn-way-out" },
        "What was read before stays in sight. ",
        button("Try again", () => store.retry(), { class: "wn-button wn-small" }),
        " If it stays so, open the saver anew and run its cells and this one again."
      ) : null,
      h("details", {}, h("summary", {}, "Traceback"), h("pre", {}, failure.traceback))
    ) : null);
    element.hidden = !element.childNodes.length;
  }
  store.on((what) => {
    if (["failure", "kernel", "busy", "state"].includes(what)) draw();
  });
  draw();
  return element;
}

// values.js
var OPENED = 2;
function inline(value, limit = 160) {
  if (!value) return h("span", {});
  return h("span", { class: "wn-value", "data-type": value.t }, clip(text(value), limit), size(value));
}
function text(value, depth = 3) {
  if (!value.items) return value.t === "str" ? JSON.stringify(value.s) + (value.more ? "…" : "") : value.s;
  const [open, close] = brackets(value);
  if (depth === 0 && value.n) return `${open}…${close}`;
  const named = open.endsWith("{") && value.t !== "set" && value.t !== "frozenset";
  const parts = value.items.map(([key, item]) => (named ? `${key}: ` : "") + text(item, depth - 1));
  if (value.more) parts.push(`… ${value.more} more`);
  return open + parts.join(", ") + close;
}
function brackets(value) {
  if (value.t === "list") return ["[", "]"];
  if (value.t === "tuple") return ["(", ")"];
  if (value.t === "dict") return ["{", "}"];
  return [`${value.t}{`, "}"];
}
function clip(said, limit) {
  return said.length > limit ? `${said.slice(0, limit - 1)}…` : said;
}
function size(value) {
  const said = value.bytes ? `  ${bytes(value.bytes)}` : value.t === "str" && value.more ? `  ${number(value.more)} more characters` : "";
  return said ? h("span", { class: "wn-muted" }, said) : null;
}
function tree(key, value, depth = 0) {
  const name = key === null ? null : h("span", { class: "wn-key" }, key);
  if (!value.items || value.n === 0) {
    const leaf = value.t === "str" && value.s.length > 80 ? h("span", { class: "wn-value wn-long", "data-type": "str", tabindex: "0" }, value.s, size(value)) : inline(value, 400);
    return h("div", { class: "wn-leaf" }, name, leaf, typed(value));
  }
  const body = h("div", { class: "wn-branch" });
  const node = h(
    "details",
    { class: "wn-node" },
    h("summary", {}, name, h("span", { class: "wn-muted wn-digest" }, `${value.t} of ${number(value.n)}  `), inline(value, 70)),
    body
  );
  const grow = () => {
    if (body.childNodes.length) return;
    body.append(...value.items.map(([inner, item]) => tree(inner || "·", item, depth + 1)));
    if (value.more) body.append(h("div", { class: "wn-leaf wn-muted" }, `… ${number(value.more)} more not shown`));
  };
  node.addEventListener("toggle", () => {
    if (node.open) grow();
  });
  if (depth < OPENED && value.n <= 12 && text(value).length > 60) {
    node.open = true;
    grow();
  }
  return node;
}
var PLAIN = /* @__PURE__ */ new Set(["str", "int", "float", "bool", "None"]);
function typed(value) {
  return PLAIN.has(value.t) ? null : h("span", { class: "wn-type" }, value.t);
}

// question.js
function field(value, names) {
  if (!value.items) return null;
  for (const name of names) {
    const found = value.items.find(([key]) => key === name);
    if (found) return found[1];
  }
  return null;
}
function question(value) {
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
function choices(value, choose) {
  const found = choicesIn(value);
  if (!found) return null;
  return h("div", { class: "wn-chips" }, found.items.map(([, item]) => h("button", { type: "button", class: "wn-chip", onclick: () => choose(item.s) }, item.s)));
}

// details.js
var SIGNS = { added: "+", removed: "−", changed: "~" };
var TASKS = { ok: "✓", error: "✗", interrupted: "‖" };
var TABS = [["diff", "Diff"], ["state", "State"], ["tasks", "Tasks"]];
function details(store, model, editor) {
  const title = h("div", { class: "wn-title" });
  const marks2 = h("div", { class: "wn-marks" });
  const tabs = h("div", { class: "wn-tabs", role: "tablist", "aria-label": "Details" });
  const body = h("div", { class: "wn-body", role: "tabpanel", tabindex: "0" });
  const element = h(
    "section",
    { class: "wn-panel wn-details", "aria-label": "Checkpoint" },
    h("div", { class: "wn-panel-head" }, title, h("span", { class: "wn-grow" }), marks2),
    tabs,
    body
  );
  let drawnFor = null;
  let late = null;
  function current() {
    return store.details && store.details.row === store.selected ? store.details : null;
  }
  function head() {
    const found = current();
    if (store.selected === null || !store.rows.count) {
      fill(title, h("h3", {}, "Checkpoint"));
      fill(marks2);
      return;
    }
    const { rows } = store;
    const at = store.selected;
    const more = [rows.source(at) === "loop" ? null : rows.source(at), duration(rows.duration(at)), rows.lanes[rows.lane(at)].label, found?.label].filter((part) => part && part !== rows.who(at));
    fill(title, h("h3", {}, rows.who(at)), h("span", { class: "wn-muted" }, [rows.step(at) < 0 ? null : `step ${number(rows.step(at))}`, ...more].filter(Boolean).join(" · ")));
    fill(
      marks2,
      mark2("A", store.a, () => store.mark(store.a === at ? null : at, store.b)),
      mark2("B", store.b, () => store.mark(store.a, store.b === at ? null : at))
    );
  }
  function mark2(name, set, press) {
    const on = set !== null;
    const where = on && store.rows.step(set) >= 0 ? `step ${number(store.rows.step(set))}` : on ? store.rows.who(set) : "";
    const said = on ? `${name}: ${where}` : name;
    const title2 = on ? `Compare ${name === "A" ? "from" : "to"} ${where}` : `Set ${name} here (${name.toLowerCase()})`;
    return h("button", { type: "button", class: "wn-tool wn-mark", "aria-pressed": String(on), title: title2, onclick: press }, said);
  }
  function drawTabs() {
    const found = current();
    const tab = model.get("tab");
    const counts = { diff: found ? found.diff.changes.length + found.diff.more : null, tasks: found?.tasks.length ?? null };
    fill(
      tabs,
      TABS.map(([name, label2]) => h("button", {
        type: "button",
        class: "wn-tab",
        role: "tab",
        "aria-selected": String(!editor.open && tab === name),
        tabindex: !editor.open && tab === name ? "0" : "-1",
        onclick: () => show(name)
      }, label2, counts[name] === null || counts[name] === void 0 ? null : h("span", { class: "wn-badge-count" }, number(counts[name])))),
      editor.open ? h("button", { type: "button", class: "wn-tab", role: "tab", "aria-selected": "true" }, editor.title) : null
    );
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
    if (editor.open || store.state && (found || !store.rows.count)) {
      clearTimeout(late);
      late = null;
    }
    if (editor.open) {
      if (body.firstChild !== editor.element) fill(body, editor.element);
      return;
    }
    if (!store.state && store.failure) {
      unread("Nothing could be read.");
      return;
    }
    if (!store.state) {
      waitThen();
      return;
    }
    if (!store.rows.count) {
      fill(body, nothing());
      return;
    }
    if (!found && store.unread === store.selected) {
      unread("This checkpoint could not be read.");
      return;
    }
    if (!found) {
      waitThen();
      return;
    }
    if (found.gone) {
      fill(body, h("p", { class: "wn-empty" }, "This checkpoint is no longer there."));
      return;
    }
    const tab = model.get("tab");
    const parts = [failed(found), asked(found)];
    if (found.other_code) parts.push(h("p", { class: "wn-muted wn-note" }, "Made by other code than this cell's graph, which is what the buttons run."));
    if (tab === "state") parts.push(h(
      "div",
      { class: "wn-tree" },
      found.values.items.map(([key, value]) => tree(key, value)),
      found.values.n ? null : h("p", { class: "wn-empty" }, "The state is empty.")
    ));
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
    return h(
      "div",
      { class: "wn-empty" },
      h("p", {}, h("strong", {}, state.status === null ? `There is no thread ${JSON.stringify(state.thread)}.` : "No checkpoint yet.")),
      h("p", {}, "To make one, run: ", h("code", {}, line)),
      others.length ? h("p", {}, "Threads that are there:") : null,
      others.length ? h("ul", { class: "wn-threads" }, others.slice(0, 12).map((one) => h(
        "li",
        {},
        button(one.thread, () => store.send("thread", { thread: one.thread }), { class: "wn-link" }),
        h("span", { class: "wn-muted" }, ` ${one.status} · ${plural(one.checkpoints, "checkpoint")}`)
      ))) : null
    );
  }
  function failed(found) {
    if (!found.error || store.failure?.code === "node_error") return null;
    const { node, text: text2, traceback } = found.error;
    return h(
      "div",
      { class: "wn-callout", "data-look": "error" },
      h("div", {}, h("span", { class: "wn-sign", "aria-hidden": "true" }, "✗"), h("strong", {}, `${node || "the run"} failed`)),
      h("code", { class: "wn-error-text" }, text2),
      traceback && traceback !== text2 ? h("details", {}, h("summary", {}, "Traceback"), h("pre", {}, traceback)) : null,
      found.head ? h("p", { class: "wn-muted" }, "This cell holds the graph as it is now. Fix the code, run its cells again and this one too, then Replay from here.") : null
    );
  }
  function asked(found) {
    if (!found.questions.length) return null;
    return found.questions.map((one) => h(
      "div",
      { class: "wn-callout", "data-look": found.head ? "waiting" : "past" },
      h("div", {}, h("span", { class: "wn-sign", "aria-hidden": "true" }, "‖"), h("strong", {}, one.kind === "question" ? `${one.node} ${found.head ? "asks" : "asked"}` : `stopped ${one.kind} ${one.node}`)),
      question(one.value),
      found.head && store.state.steerable ? button(one.kind === "question" ? "Answer…" : "Go on…", () => editor.start("resume"), { class: "wn-button wn-small" }) : null
    ));
  }
  function diff(found) {
    const from = found.against;
    const note = from ? `compared with ${from.is_a ? "A, " : ""}${named(from)}` : "the first checkpoint, all of it is new";
    if (!found.diff.changes.length) {
      return h("div", { class: "wn-empty" }, h("p", {}, h("strong", {}, "Nothing changed.")), h("p", { class: "wn-muted" }, note));
    }
    return h(
      "div",
      { class: "wn-diff" },
      h("p", { class: "wn-muted wn-note" }, note),
      found.diff.changes.map((one) => change(one, found.by)),
      found.diff.more ? h("p", { class: "wn-muted wn-note" }, `${number(found.diff.more)} more changes not shown`) : null,
      found.unchanged.length ? h("p", { class: "wn-muted wn-note" }, h("span", { class: "wn-same" }, "="), `${found.unchanged.map((key) => clip(key, 60)).join(", ")} unchanged`) : null
    );
  }
  function named(row) {
    const who = row.nodes.join(", ") || row.source;
    return row.step < 0 ? `the ${who}` : `step ${number(row.step)} (${who})`;
  }
  function change(one, by) {
    return h(
      "div",
      { class: "wn-change", "data-kind": one.kind },
      h("span", { class: "wn-sign", "aria-label": one.kind }, SIGNS[one.kind]),
      h(
        "div",
        {},
        h(
          "div",
          { class: "wn-change-head" },
          h("code", { class: "wn-path" }, one.path),
          one.delta ? h("span", { class: "wn-delta" }, one.delta) : null,
          by ? h("span", { class: "wn-muted wn-by" }, `by ${by}`) : null
        ),
        h("div", { class: "wn-change-body" }, values(one))
      )
    );
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
    return h(
      "div",
      { class: "wn-pair" },
      h("del", {}, inline(one.old, 300)),
      h("span", { class: "wn-arrow", "aria-label": "becomes" }, "→"),
      h("ins", {}, inline(one.new, 300)),
      one.old.t === one.new.t ? null : h("span", { class: "wn-type" }, `${one.old.t} → ${one.new.t}`)
    );
  }
  function tasks(found) {
    if (!found.tasks.length) return h("p", { class: "wn-empty" }, found.source === "loop" ? "No task is recorded here." : `Made by ${found.source}: no task ran.`);
    return h(
      "table",
      { class: "wn-table" },
      h("thead", {}, h("tr", {}, [unseen("state"), "node", "attempt", "took", unseen("problem")].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.tasks.map((one) => h(
        "tr",
        {},
        h("td", { "data-look": one.status }, TASKS[one.status] ?? one.status),
        h("td", {}, one.node),
        h("td", {}, one.attempt),
        h("td", {}, duration(one.duration)),
        h("td", {}, one.error ? h("code", {}, one.error) : one.status === "interrupted" ? "asked" : "")
      )))
    );
  }
  store.on((what) => {
    if (["selected", "details", "state", "rows", "marks", "editor", "failure"].includes(what)) draw();
  });
  model.on("change:tab", draw);
  draw();
  return { element, show, close: () => model.off("change:tab", draw) };
}

// editor.js
var MOST = 1024 * 1024;
var TITLES2 = { update: "Edit state", fork: "Fork", resume: "Answer" };
var Editor = class {
  constructor(store) {
    this.store = store;
    this.action = null;
    this.element = h("div", { class: "wn-editor" });
    this.fields = {};
    this.problem = null;
  }
  get open() {
    return this.action !== null && this.action !== "replay";
  }
  get title() {
    return TITLES2[this.action] ?? "";
  }
  start(action) {
    this.action = action;
    this.store.moves += 1;
    this.problem = null;
    this.fields = {};
    fill(this.element, { update: () => this.updateForm(), fork: () => this.forkForm(), resume: () => this.resumeForm() }[action]?.() ?? null);
    this.store.tell("editor");
    if (this.open) (this.fields.first ?? this.element).focus?.();
  }
  close() {
    if (this.action === null) return;
    this.action = null;
    this.store.tell("editor");
  }
  // What would be sent: texts, read as JSON in Python so that 1 and 1.0 stay apart.
  options() {
    const { values, asNode, branch, where, name, answer, answers } = this.fields;
    const made = {};
    if (values) made.values = values.value.trim() || "{}";
    if (asNode?.value) made.as_node = asNode.value;
    if (branch?.value.trim()) made.branch = branch.value.trim();
    if (where) made[where.thread.checked ? "thread" : "branch"] = name.value.trim() || null;
    if (where && made.values === "{}") delete made.values;
    if (answer) made.answer = answer.value;
    if (answers) made.answer = JSON.stringify(Object.fromEntries(answers.map(([id, field2]) => [id, loose(field2.value)])));
    return made;
  }
  // Why it cannot be pressed yet.
  missing() {
    const { where, name, values, answer } = this.fields;
    if (where && !name.value.trim()) return where.thread.checked ? "Name the new thread." : "Name the branch.";
    if (this.action === "update" && !Object.keys(parsed(values?.value) ?? { x: 1 }).length) return "Say what to write: pick a key above, or type.";
    if (values && values.value.length > MOST) return "Edits above 1 MB are lost on the way to the kernel: paste the code into a cell instead.";
    if (answer && !answer.value.trim()) return "Type an answer.";
    return null;
  }
  changed() {
    this.store.tell("edited");
  }
  area(rows) {
    const field2 = h("textarea", { class: "wn-code-field", rows, spellcheck: "false", autocomplete: "off", "aria-label": "Values to write, JSON", oninput: () => this.changed() });
    field2.value = "{}";
    this.fields.values = field2;
    return field2;
  }
  chips(field2) {
    const items = this.store.details?.values.items ?? [];
    return h("div", { class: "wn-chips" }, items.map(([key, value]) => {
      const said = asJson(value, "  ");
      return h("button", {
        type: "button",
        class: "wn-chip",
        disabled: said === null,
        onclick: () => this.insert(field2, key, said),
        title: said === null ? `${key} is too large, or no JSON: write it by code` : `Write ${key}`
      }, key);
    }));
  }
  // As text, so that 1.0 stays 1.0.
  insert(field2, key, said) {
    const whole = parsed(field2.value);
    if (whole === null) return;
    const name = `${JSON.stringify(key)}: `;
    if (!(key in whole)) {
      const before = field2.value.trim().replace(/\s*\}$/, "") || "{";
      field2.value = `${before}${before === "{" ? "" : ","}
  ${name}${said}
}`;
    }
    const at = field2.value.indexOf(name) + name.length;
    const inner = field2.value[at] === '"' ? 1 : 0;
    const stop = field2.value.startsWith(said, at) ? at + said.length : at;
    field2.focus();
    field2.setSelectionRange(at + inner, Math.max(at + inner, stop - inner));
    this.changed();
  }
  updateForm() {
    const field2 = this.area(7);
    this.fields.first = field2;
    const nodes = (this.store.graph?.nodes ?? []).filter((node) => node.kind !== "start" && node.kind !== "end");
    this.fields.asNode = h(
      "select",
      { class: "wn-select", onchange: () => this.changed() },
      h("option", { value: "" }, "the last node"),
      nodes.map((node) => h("option", { value: node.name }, node.name))
    );
    this.fields.branch = h("input", { class: "wn-input", placeholder: "none", spellcheck: "false", oninput: () => this.changed() });
    return [
      h("p", { class: "wn-muted wn-note" }, "Written after this checkpoint, through the reducers. Nothing runs."),
      this.chips(field2),
      field2,
      h("div", { class: "wn-fields" }, label("as written by", this.fields.asNode), label("branch", this.fields.branch))
    ];
  }
  forkForm() {
    const group = `wn-where-${Math.random().toString(36).slice(2)}`;
    const radio = (value, checked) => h("input", { type: "radio", name: group, value, checked, onchange: () => this.changed() });
    this.fields.where = { branch: radio("branch", true), thread: radio("thread", false) };
    this.fields.name = h("input", { class: "wn-input", spellcheck: "false", oninput: () => this.changed() });
    this.fields.name.value = this.freeName();
    this.fields.first = this.fields.name;
    const field2 = this.area(4);
    return [
      h("p", { class: "wn-muted wn-note" }, "Another way from this checkpoint. What is there stays as it is. Nothing runs."),
      h(
        "div",
        { class: "wn-fields" },
        h("label", { class: "wn-radio" }, this.fields.where.branch, "in this thread"),
        h("label", { class: "wn-radio" }, this.fields.where.thread, "as a new thread"),
        label("name", this.fields.name)
      ),
      h("p", { class: "wn-muted wn-note" }, "With an edit, if you like:"),
      this.chips(field2),
      field2
    ];
  }
  freeName() {
    const taken2 = /* @__PURE__ */ new Set([...this.store.rows.lanes.map((lane) => lane.label), ...(this.store.state?.threads ?? []).map((one) => one.thread)]);
    let place = 1;
    while (taken2.has(`alt-${place}`)) place += 1;
    return `alt-${place}`;
  }
  resumeForm() {
    const questions = this.store.details?.questions ?? [];
    const asks = (one, into) => [
      h("div", {}, h("strong", {}, one.node), h("span", { class: "wn-muted" }, " asks")),
      question(one.value),
      choices(one.value, (said) => {
        into.value = said;
        this.changed();
      })
    ];
    const input = () => h("input", { class: "wn-input wn-wide", spellcheck: "false", "aria-label": "Answer", oninput: () => this.changed() });
    if (questions.length > 1) {
      this.fields.answers = questions.map((one) => [one.id, input()]);
      return questions.map((one, place) => h("div", { class: "wn-ask" }, asks(one, this.fields.answers[place][1]), this.fields.answers[place][1]));
    }
    this.fields.answer = input();
    this.fields.first = this.fields.answer;
    return [
      questions.length ? h("div", { class: "wn-ask" }, asks(questions[0], this.fields.answer)) : h("p", { class: "wn-muted wn-note" }, "No question is open at this checkpoint."),
      this.fields.answer,
      h("p", { class: "wn-muted wn-note" }, 'Text, or JSON such as true, 3 or {"ok": true}.')
    ];
  }
};
function label(name, field2) {
  return h("label", { class: "wn-field" }, h("span", {}, name), field2);
}
function parsed(said) {
  try {
    const value = JSON.parse(said?.trim() || "{}");
    return value && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
function loose(said) {
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}
function asJson(value, indent) {
  if (value.more || value.odd) return null;
  if (value.t === "str") return JSON.stringify(value.s);
  if (value.t === "None") return "null";
  if (value.t === "bool") return value.s.toLowerCase();
  if (value.t === "int" || value.t === "float") return /^-?\d/.test(value.s) && value.s.length < 190 ? value.s : null;
  if (value.t !== "list" && value.t !== "dict") return null;
  const parts = value.items.map(([key, item]) => {
    const said = asJson(item, `${indent}  `);
    return said !== null && value.t === "dict" ? `${JSON.stringify(key)}: ${said}` : said;
  });
  if (parts.includes(null)) return null;
  const [open, close] = value.t === "list" ? "[]" : "{}";
  const line = open + parts.join(", ") + close;
  return line.length < 60 && !line.includes("\n") ? line : `${open}
${indent}  ${parts.join(`,
${indent}  `)}
${indent}${close}`;
}

// graph.js
var LEAST = 0.6;
var SVG2 = "http://www.w3.org/2000/svg";
var TAGS = /* @__PURE__ */ new Set(["svg", "g", "path", "polygon", "polyline", "ellipse", "circle", "rect", "line", "text", "tspan", "title"]);
var ATTRIBUTES = new Set("id class d points cx cy r rx ry x y x1 y1 x2 y2 width height viewBox transform fill stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin paint-order font-size font-family font-weight text-anchor role aria-label data-edge".split(" "));
var SIGNS2 = { done: "✓", failed: "✗", waiting: "‖", current: "▶", pending: "…" };
var SAID = { done: "done", failed: "failed", waiting: "waiting for an answer", current: "just ran", pending: "to run next" };
function taken(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.has(node.localName)) return null;
  const made = document.createElementNS(SVG2, node.localName);
  for (const { name, value } of node.attributes) {
    if (ATTRIBUTES.has(name) && !/url\s*\(/i.test(value)) made.setAttribute(name, value);
  }
  for (const child of node.childNodes) {
    const inner = taken(child);
    if (inner) made.append(inner);
  }
  return made;
}
function graph(store) {
  const canvas = h("div", { class: "wn-graph-canvas" });
  const text2 = h("p", { class: "wn-visually-hidden" });
  const zoom = { value: 1, fitted: true };
  const ways = [["−", "Zoom out", 0.8], ["+", "Zoom in", 1.25], ["Fit", "Fit the graph", 0]];
  const tools = h("div", { class: "wn-tools" }, ways.map(([label2, title, by]) => h("button", { type: "button", class: "wn-tool", title, "aria-label": title, onclick: () => scale(by) }, label2)));
  const element = h(
    "section",
    { class: "wn-panel wn-graph", "aria-label": "Graph" },
    h("div", { class: "wn-panel-head" }, h("h3", {}, "Graph"), h("span", { class: "wn-grow" }), tools),
    canvas,
    text2
  );
  let drawn = null;
  let size2 = null;
  function scale(by) {
    if (!drawn) return;
    const fits2 = Math.min((canvas.clientWidth - 28) / size2[0], (canvas.clientHeight - 18) / size2[1], 1.15);
    zoom.fitted = by === 0 || by === null && zoom.fitted;
    if (zoom.fitted) zoom.value = Math.max(LEAST, fits2 || 1);
    else if (by) zoom.value = Math.min(4, Math.max(0.25, zoom.value * by));
    drawn.setAttribute("width", String(size2[0] * zoom.value));
    drawn.setAttribute("height", String(size2[1] * zoom.value));
  }
  function draw() {
    drawn = null;
    if (!store.graph) {
      fill(canvas);
      return;
    }
    if (!store.graph.svg) {
      fill(canvas, h("p", { class: "wn-empty" }, "Only the history is known here, not the graph."));
      return;
    }
    const parsed2 = new DOMParser().parseFromString(store.graph.svg, "image/svg+xml").documentElement;
    drawn = parsed2.localName === "svg" ? taken(parsed2) : null;
    if (!drawn) return;
    drawn.setAttribute("role", "group");
    size2 = [Number(drawn.getAttribute("width")) || 300, Number(drawn.getAttribute("height")) || 200];
    fill(canvas, drawn);
    scale(0);
    mark2();
    marks2();
  }
  function goTo(name) {
    const { rows } = store;
    const made = rows.by(name);
    const thread = (at) => rows.lanes[rows.lane(at)].thread;
    const own = store.selected === null ? [] : made.filter((at) => thread(at) === thread(store.selected));
    const ways2 = own.length ? own : made;
    const place = ways2.indexOf(store.selected);
    if (ways2.length) store.select(ways2[(place + 1) % ways2.length]);
  }
  function pressable(group, name) {
    const can = store.rows.by(name).length > 0;
    group.classList.toggle("wn-pressable", can);
    const said = { role: "button", tabindex: "0", "aria-label": `${name}: to its newest checkpoint, then the one before` };
    for (const [key, value] of Object.entries(said)) if (can) group.setAttribute(key, value);
    else group.removeAttribute(key);
    group.onclick = can ? () => goTo(name) : null;
    group.onkeydown = can ? (event) => {
      if (event.key === "Enter" || event.key === " ") {
        goTo(name);
        event.preventDefault();
      }
    } : null;
  }
  function marks2() {
    if (!drawn) return;
    store.graph.nodes.forEach((node, place) => {
      const group = drawn.querySelector(`#n${place}`);
      if (group && node.kind !== "start" && node.kind !== "end") pressable(group, node.name);
    });
  }
  function mark2() {
    if (!drawn) return;
    const states = store.rows.count && store.details?.states || {};
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
    fill(text2, told.length ? `Graph at the selected checkpoint. ${told.join("; ")}.` : "");
  }
  function badge(box, state) {
    const group = document.createElementNS(SVG2, "g");
    group.setAttribute("class", "wn-badge");
    group.setAttribute("transform", `translate(${box.x + box.width - 3} ${box.y + 3})`);
    const disc2 = document.createElementNS(SVG2, "circle");
    disc2.setAttribute("r", "8.5");
    const sign = document.createElementNS(SVG2, "text");
    sign.setAttribute("text-anchor", "middle");
    sign.setAttribute("y", "3.8");
    sign.setAttribute("font-size", "11");
    sign.textContent = SIGNS2[state];
    group.append(disc2, sign);
    return group;
  }
  store.on((what) => {
    if (what === "graph") draw();
    else if (what === "details") mark2();
    else if (what === "rows") {
      mark2();
      marks2();
    }
  });
  draw();
  const observer = new ResizeObserver(() => scale(null));
  observer.observe(canvas);
  return { element, close: () => observer.disconnect() };
}

// header.js
var STATUS = {
  completed: ["✓", "completed", "ok"],
  interrupted: ["‖", "waiting for an answer", "waiting"],
  failed: ["✗", "failed", "error"],
  running: ["▸", "running", "running"],
  stopped: ["■", "stopped", "idle"]
};
var DOING = { update: "updating…", fork: "forking…", replay: "replaying…", resume: "running on…" };
function header(store) {
  const name = h("span", { class: "wn-graph-name" });
  const threads = h("select", { class: "wn-select", "aria-label": "Thread", onchange: () => store.send("thread", { thread: threads.value }) });
  const status = h("span", { class: "wn-status" });
  const count = h("span", { class: "wn-muted wn-count" });
  const pill = h("button", { type: "button", class: "wn-pill", hidden: true, onclick: () => store.select(store.arrived ?? store.rows.head) });
  const element = h(
    "div",
    { class: "wn-header" },
    name,
    h("label", { class: "wn-thread" }, h("span", { class: "wn-muted" }, "thread"), threads),
    status,
    h("span", { class: "wn-grow" }),
    pill,
    count
  );
  function drawStatus() {
    const state = store.state;
    if (!state) {
      fill(status, h("span", { class: "wn-muted" }, store.failure ? "not read" : "loading…"));
      return;
    }
    if (store.kernel !== "ok") {
      fill(status, h("span", { class: "wn-muted" }, "waiting for the kernel…"));
      return;
    }
    const thread = store.selected === null || !store.rows.count ? state.thread : store.rows.lanes[store.rows.lane(store.selected)].thread;
    const said = thread === state.thread ? state.status : state.statuses[thread] ?? null;
    const [sign, text2, look] = store.busy ? ["▸", DOING[store.busy] ?? "working…", "running"] : STATUS[said] ?? ["", said ?? "no such thread", "idle"];
    status.dataset.look = look;
    const whose = thread === state.thread || store.busy ? null : h("span", { class: "wn-whose" }, `${thread}:`);
    status.title = whose ? `${thread}: ${text2}` : text2;
    fill(status, whose, h("span", { class: "wn-sign", "aria-hidden": "true" }, sign), h("span", { class: "wn-said" }, text2));
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
    fill(count, plural(store.rows.count, "checkpoint"), store.rows.lanes.length > 1 ? h("span", { class: "wn-lane-count" }, ` · ${plural(store.rows.lanes.length, "lane")}`) : null);
    pill.hidden = store.unseen === 0;
    fill(pill, `${store.unseen} new →`);
  }
  store.on((what) => {
    if (["state", "rows", "graph", "selected"].includes(what)) draw();
    else if (["busy", "kernel", "failure"].includes(what)) drawStatus();
  });
  draw();
  return element;
}

// wire.js
var ERROR = 1;
var QUESTION = 2;
var SOURCES = ["input", "loop", "update", "fork"];
var ARRAYS = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array
};
function column(kind, buffer) {
  const view = buffer instanceof DataView ? buffer : new DataView(buffer.buffer ?? buffer, buffer.byteOffset ?? 0, buffer.byteLength);
  const Kind = ARRAYS[kind];
  const copied = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  return new Kind(copied);
}
var Rows = class {
  constructor() {
    this.clear(-1);
  }
  clear(epoch) {
    this.epoch = epoch;
    this.count = 0;
    this.columns = {};
    this.tables = { nodes: [], changed: [] };
    this.lanes = [];
    this.head = null;
  }
  take(content, buffers) {
    if (content.epoch !== this.epoch) this.clear(content.epoch);
    if (content.from > this.count) return false;
    for (const [name, table] of Object.entries(content.tables)) {
      this.tables[name].length = table.from;
      this.tables[name].push(...table.names);
    }
    content.columns.forEach(([name, kind], place) => {
      let values = column(kind, buffers[place]);
      if (name === "seq" && kind === "u4") values = Float64Array.from(values, (value) => value + content.base.seq);
      if (name === "time") values = Float64Array.from(values, (value) => value * content.base.unit + content.base.time);
      this.columns[name] = this.join(this.columns[name], values, content.from);
    });
    this.count = content.from + content.count;
    this.lanes = content.lanes;
    this.head = content.head;
    this.counted = null;
    return true;
  }
  join(old, values, from) {
    if (!old || from === 0) return values;
    const Kind = old.BYTES_PER_ELEMENT >= values.BYTES_PER_ELEMENT ? old.constructor : values.constructor;
    const joined = new Kind(from + values.length);
    joined.set(old.subarray(0, from));
    joined.set(values, from);
    return joined;
  }
  flags(index) {
    return this.columns.flags[index];
  }
  lane(index) {
    return this.columns.lane[index];
  }
  parent(index) {
    return this.columns.parent[index];
  }
  step(index) {
    return this.columns.step[index];
  }
  source(index) {
    return SOURCES[this.columns.flags[index] >> 4];
  }
  who(index) {
    return this.tables.nodes[this.columns.node[index]] || this.source(index);
  }
  duration(index) {
    return this.columns.duration[index];
  }
  // The next row of `flag` after `from`, going round.
  next(flag2, from, step = 1) {
    for (let walked = 1; walked <= this.count; walked += 1) {
      const index = (from + step * walked + this.count * 2) % this.count;
      if (this.flags(index) & flag2) return index;
    }
    return null;
  }
  named(index) {
    return this.step(index) < 0 ? `the ${this.who(index)}` : `step ${this.step(index)} (${this.who(index)})`;
  }
  // The neighbour in the row's lane; before a lane's first row lies its parent, after its last what was forked there.
  along(index, step) {
    const lane = this.lane(index);
    for (let at = index + step; at >= 0 && at < this.count; at += step) if (this.lane(at) === lane) return at;
    if (step < 0) return this.parent(index) >= 0 ? this.parent(index) : index;
    for (let at = index + 1; at < this.count; at += 1) if (this.parent(at) === index) return at;
    return index;
  }
  // The rows that a node made, newest first.
  by(node) {
    const places = /* @__PURE__ */ new Set();
    this.tables.nodes.forEach((said, place) => {
      if (said === node || said.split("+").includes(node)) places.add(place);
    });
    const found = [];
    if (places.size) {
      for (let at = this.count - 1; at >= 0; at -= 1) if (places.has(this.columns.node[at])) found.push(at);
    }
    return found;
  }
  // The row of another lane that is nearest in order.
  across(index, step) {
    const lane = this.lane(index) + step;
    if (lane < 0 || lane >= this.lanes.length) return index;
    let best = null;
    for (let at = 0; at < this.count; at += 1) {
      if (this.lane(at) === lane && (best === null || Math.abs(at - index) < Math.abs(best - index))) best = at;
    }
    return best ?? index;
  }
  totals() {
    if (!this.counted) {
      this.counted = { errors: 0, questions: 0 };
      for (let index = 0; index < this.count; index += 1) {
        if (this.flags(index) & ERROR) this.counted.errors += 1;
        if (this.flags(index) & QUESTION) this.counted.questions += 1;
      }
    }
    return this.counted;
  }
};

// keys.js
var HELP = [
  ["← →", "step"],
  ["↑ ↓", "lane"],
  ["Home End", "first, head"],
  ["e E", "next, previous error"],
  ["i", "next question"],
  ["a b", "set A, B"],
  ["x", "swap A and B"],
  ["d s t", "Diff, State, Tasks"],
  ["f", "fork"],
  ["r", "replay"],
  ["+ − 0", "zoom"],
  ["?", "help"],
  ["Esc", "leave"]
];
function keys(root, store, { details: details2, timeline: timeline2, editor, help }) {
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
    d: () => details2?.show("diff"),
    s: () => details2?.show("state"),
    t: () => details2?.show("tasks"),
    f: () => start("fork"),
    r: () => start("replay"),
    "+": () => timeline2?.zoomBy(1.6),
    "=": () => timeline2?.zoomBy(1.6),
    "-": () => timeline2?.zoomBy(1 / 1.6),
    0: () => timeline2?.zoomBy(0),
    "?": help
  };
  const start = (action) => {
    if (store.state?.steerable && !store.busy) editor.start(action);
  };
  root.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "Escape") {
      if (editor.action !== null) {
        editor.close();
        root.focus();
      } else {
        document.activeElement?.blur();
      }
      event.preventDefault();
      return;
    }
    const command = typing ? null : commands[event.key];
    if (!command || !rows.count) return;
    command();
    event.preventDefault();
  });
}

// store.js
var KEPT = 300;
var SLOW = 1500;
var LOST = 1e4;
var Store = class {
  constructor(model) {
    this.model = model;
    this.rows = new Rows();
    this.graph = null;
    this.state = null;
    this.selected = null;
    this.a = null;
    this.b = null;
    this.details = null;
    this.failure = null;
    this.busy = null;
    this.unseen = 0;
    this.arrived = null;
    this.kernel = "ok";
    this.kept = /* @__PURE__ */ new Map();
    this.waiting = /* @__PURE__ */ new Map();
    this.listeners = /* @__PURE__ */ new Set();
    this.asked = 0;
    this.moves = 0;
    this.unread = null;
    this.hear = (content, buffers) => this.heard(content, buffers ?? []);
    model.on("msg:custom", this.hear);
    this.timer = setInterval(() => this.watch(), 500);
  }
  close() {
    clearInterval(this.timer);
    this.model.send({ type: "bye" });
    this.model.off("msg:custom", this.hear);
  }
  on(listener) {
    this.listeners.add(listener);
  }
  tell(what) {
    for (const listener of this.listeners) listener(what);
  }
  // ------------------------------------------------------------ to the kernel
  send(type, more = {}, done = null) {
    this.asked += 1;
    const id = this.asked;
    this.waiting.set(id, { since: performance.now(), done, type });
    this.model.send({ type, id, ...more });
    return id;
  }
  hello() {
    this.send("hello", {}, () => {
    });
  }
  refresh() {
    if (this.kernel === "ok" && !this.pending("refresh")) this.send("refresh");
  }
  retry() {
    if (this.state) this.refresh();
    else this.send("resend");
  }
  pending(type) {
    return [...this.waiting.values()].some((one) => one.type === type);
  }
  select(index) {
    if (index === null || index < 0 || index >= this.rows.count) return;
    const moved = index !== this.selected;
    this.selected = index;
    if (moved) this.moves += 1;
    if (index === this.rows.head || index === this.arrived) {
      this.unseen = 0;
      this.arrived = null;
    }
    if (moved) this.tell("selected");
    this.load();
  }
  // Another view moved: follow it, without telling it so.
  follow({ row, a, b }) {
    if (row === null || row >= this.rows.count || row === this.selected && a === this.a && b === this.b) return;
    Object.assign(this, { selected: row, a, b });
    this.moves += 1;
    this.tell("selected");
    this.tell("marks");
    this.load(false);
  }
  mark(a, b) {
    this.a = a;
    this.b = b;
    this.tell("marks");
    this.load();
  }
  load(select = true) {
    const key = this.key();
    const kept = this.kept.get(key);
    if (kept) {
      this.details = kept;
      this.tell("details");
    }
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    this.loadingSince = performance.now();
    const row = this.selected;
    this.unread = null;
    this.send("details", { row, a: this.a, b: this.b, select }, (answer) => {
      this.loading = false;
      if (answer.kind === "details") {
        this.keep(key, answer);
        if (this.key() === key) {
          this.details = answer;
          this.tell("details");
        }
      } else if (this.key() === key && this.details?.row !== row) {
        this.unread = row;
        this.tell("details");
      }
      if (this.again) {
        this.again = false;
        this.load();
      }
    });
  }
  key() {
    return `${this.rows.epoch}/${this.selected}/${this.a}/${this.b}`;
  }
  keep(key, answer) {
    this.kept.delete(key);
    this.kept.set(key, answer);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
  }
  // At `at`, the checkpoint that the code on show names: the selection may be elsewhere by then.
  act(action, options, at) {
    if (this.busy) return;
    this.failure = null;
    this.busy = action;
    this.movesThen = this.moves;
    this.tell("failure");
    this.tell("busy");
    this.send("act", { action, row: this.selected, at, ...options });
  }
  // ------------------------------------------------------------ from the kernel
  heard(content, buffers) {
    const acting = this.waiting.get(content.id)?.type === "act";
    if (content.kind !== "busy") this.answered(content);
    const handle = {
      rows: () => this.takeRows(content, buffers),
      graph: () => {
        this.graph = content;
        this.tell("graph");
      },
      state: () => this.takeState(content),
      goto: () => this.follow(content),
      busy: () => {
        this.busy = content.action;
        this.tell("busy");
      },
      acted: () => this.takeActed(content),
      failed: () => this.takeFailed(content, acting)
    }[content.kind];
    if (handle) handle();
  }
  answered(content) {
    if (this.kernel !== "ok") {
      this.kernel = "ok";
      this.tell("kernel");
    }
    if (content.kind === "state") {
      for (const [id, one] of this.waiting) if (one.type !== "act" && !one.done) this.waiting.delete(id);
      for (const [id, one] of this.waiting) if (one.type === "hello" || one.type === "thread") this.waiting.delete(id);
    }
    const asked = this.waiting.get(content.id);
    if (!asked) return;
    this.waiting.delete(content.id);
    if (asked.done) asked.done(content);
  }
  takeRows(content, buffers) {
    performance.clearMarks("weavenb-rows");
    performance.mark("weavenb-rows");
    const fresh = content.epoch !== this.rows.epoch;
    const before = this.rows.count;
    if (!this.rows.take(content, buffers)) {
      if (!this.pending("resend")) this.send("resend");
      return;
    }
    if (fresh) {
      this.kept.clear();
      this.selected = null;
      this.a = null;
      this.b = null;
      this.details = null;
      this.unseen = 0;
    } else if (content.from < before) {
      for (const key of [...this.kept.keys()]) if (Number(key.split("/")[1]) >= content.from) this.kept.delete(key);
    }
    if (!fresh && this.rows.count > before && !this.busy) this.unseen += this.rows.count - before;
    this.tell("rows");
  }
  // What was asked to be read and could not be; only an action's own failure ends the action.
  takeFailed(content, acting) {
    this.failure = { ...content.failure, reading: !acting };
    if (acting) this.busy = null;
    this.tell("failure");
    this.tell("busy");
  }
  takeState(content) {
    this.state = content;
    this.busy = content.busy ?? null;
    if (this.failure?.reading) {
      this.failure = null;
      this.tell("failure");
      if (this.unread !== null) this.load(false);
    }
    const lost = this.selected === null || this.selected >= this.rows.count;
    if (!lost && content.heads.includes(this.selected)) {
      this.kept.delete(this.key());
      this.load(false);
    }
    if (lost && content.selected !== null && this.rows.count) {
      const { moves } = this;
      this.select(content.selected);
      this.moves = moves;
    }
    this.tell("state");
    this.tell("busy");
  }
  takeActed(content) {
    this.busy = null;
    this.failure = content.failure ?? (this.failure?.reading ? this.failure : null);
    this.kept.clear();
    if (content.row !== null && content.row < this.rows.count && this.moves === this.movesThen) {
      this.unseen = 0;
      this.a = null;
      this.b = null;
      this.select(content.row);
    } else {
      if (content.row !== null && content.row !== this.selected) this.unseen = Math.max(1, this.unseen);
      this.arrived = content.row;
      this.load();
      this.tell("state");
    }
    this.tell("failure");
    this.tell("busy");
  }
  // ------------------------------------------------------------ silence
  watch() {
    let longest = 0;
    for (const one of this.waiting.values()) if (one.type !== "act") longest = Math.max(longest, performance.now() - one.since);
    const kernel = longest > LOST ? "lost" : longest > SLOW ? "busy" : "ok";
    if (kernel !== this.kernel) {
      this.kernel = kernel;
      this.tell("kernel");
    }
  }
};

// theme.js
function luminance(colour) {
  const parts = colour.match(/[\d.]+/g);
  if (!parts || parts.length < 3) return null;
  const [red, green, blue, alpha = 1] = parts.map(Number);
  return alpha < 0.1 ? null : (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}
function isDark(element) {
  const told = document.body.dataset.jpThemeLight;
  if (told) return told === "false";
  if (document.body.classList.contains("vscode-dark") || document.documentElement.classList.contains("dark")) return true;
  if (document.body.classList.contains("vscode-light")) return false;
  if (getComputedStyle(document.body).getPropertyValue("--jp-layout-color0").trim()) {
    const probe = document.createElement("i");
    probe.style.color = "var(--jp-layout-color0)";
    element.append(probe);
    const light = luminance(getComputedStyle(probe).color);
    probe.remove();
    if (light !== null) return light < 0.5;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
function followTheme(root, model, changed) {
  const apply = () => {
    const chosen = model.get("theme");
    const dark = chosen === "dark" || chosen !== "light" && isDark(root);
    const theme = dark ? "dark" : "light";
    if (root.dataset.theme !== theme) {
      root.dataset.theme = theme;
      changed();
    }
  };
  const observer = new MutationObserver(apply);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light", "data-jp-theme-name"] });
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", apply);
  model.on("change:theme", apply);
  apply();
  return () => {
    observer.disconnect();
    query.removeEventListener("change", apply);
    model.off("change:theme", apply);
  };
}

// list.js
var SHOWN = 60;
function list(store) {
  const body = h("tbody", {});
  const note = h("p", { class: "wn-muted wn-note" });
  const element = h(
    "div",
    { class: "wn-list", hidden: true, tabindex: "0", role: "region", "aria-label": "Checkpoints" },
    h("table", { class: "wn-table" }, h("thead", {}, h("tr", {}, [unseen("state"), "step", "node", "lane", "changed", "took"].map((name) => h("th", { scope: "col" }, name)))), body),
    note
  );
  function row(index) {
    const { rows } = store;
    const flags = rows.flags(index);
    const sign = flags & ERROR ? ["✗", "error"] : flags & QUESTION ? ["‖", "interrupted"] : ["", "ok"];
    return h(
      "tr",
      { "aria-selected": String(index === store.selected), onclick: () => store.select(index) },
      h("td", { "data-look": sign[1] }, sign[0]),
      h("td", {}, number(rows.step(index))),
      h("td", {}, rows.who(index)),
      h("td", {}, rows.lanes[rows.lane(index)].label),
      h("td", {}, rows.tables.changed[rows.columns.changed[index]].split("\n").join(", ")),
      h("td", {}, duration(rows.duration(index)))
    );
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
  store.on((what) => {
    if (["rows", "selected", "state"].includes(what)) draw();
  });
  return { element, toggle: () => {
    element.hidden = !element.hidden;
    draw();
    return !element.hidden;
  } };
}

// paint.js
var TOP = 7;
var PAD = 13;
function laneColours(element) {
  const style = getComputedStyle(element);
  const of = (name) => style.getPropertyValue(name).trim();
  return {
    ink: of("--wn-ink"),
    muted: of("--wn-muted"),
    line: of("--wn-rail"),
    back: of("--wn-back"),
    blue: of("--wn-blue"),
    orange: of("--wn-orange"),
    amber: of("--wn-amber"),
    green: of("--wn-green"),
    soft: of("--wn-soft"),
    font: of("--wn-font") || "sans-serif"
  };
}
function paint(pen, view) {
  const { rows, colours } = view;
  pen.clearRect(0, 0, view.width, view.height);
  if (!rows.count) return;
  const x = (index) => view.gutter + PAD + (index - view.left + 0.5) * view.spacing;
  const y = (lane) => TOP + (lane - view.top + 0.5) * view.laneHeight - (view.roomy ? 7 : 0);
  const first = Math.max(0, Math.floor(view.left) - 1);
  const last = Math.min(rows.count - 1, Math.ceil(view.left + (view.width - view.gutter) / view.spacing) + 1);
  const tools = { ...view, pen, x, y, first, last };
  selectedColumn(tools);
  pen.save();
  pen.beginPath();
  pen.rect(view.gutter, 0, view.width - view.gutter, view.height);
  pen.clip();
  rails(tools);
  if (view.spacing >= 9) marks(tools);
  else buckets(tools);
  cursor(tools);
  pen.restore();
  labels(tools, colours);
  scrollBar(tools);
}
function scrollBar({ pen, rows, top, lanesShown, width, height, colours }) {
  const all = rows.lanes.length;
  if (all <= lanesShown) return;
  const long = height - 8;
  pen.fillStyle = colours.line;
  pen.beginPath();
  pen.roundRect(width - 7, 4 + long * top / all, 4, Math.max(12, long * lanesShown / all), 2);
  pen.fill();
}
function visible(view, lane) {
  return lane >= view.top - 1 && lane <= view.top + view.lanesShown;
}
function selectedColumn({ pen, x, selected, height, spacing, colours, gutter, roomy }) {
  if (selected === null) return;
  const wide = roomy ? Math.min(spacing - 14, 76) : Math.max(2, Math.min(spacing, 22));
  const left = x(selected) - wide / 2;
  if (left + wide < gutter) return;
  pen.fillStyle = colours.soft;
  pen.beginPath();
  pen.roundRect(left, 2, wide, height - 4, Math.min(5, wide / 2));
  pen.fill();
}
function rails(view) {
  const { pen, rows, x, y, colours } = view;
  pen.lineWidth = 1.5;
  pen.strokeStyle = colours.line;
  const ends = lastOfLanes(rows);
  rows.lanes.forEach((lane, place) => {
    const from = x(lane.first);
    if (visible(view, place)) {
      pen.beginPath();
      pen.moveTo(from, y(place));
      pen.lineTo(x(ends[place]), y(place));
      pen.stroke();
    }
    const parent = rows.parent(lane.first);
    if (parent < 0) return;
    const over = rows.lane(parent);
    if (!visible(view, place) && !visible(view, over)) return;
    const [px, py, cy] = [x(parent), y(over), y(place)];
    const bend = Math.min(14, Math.abs(cy - py) / 2, Math.max(2, from - px));
    pen.beginPath();
    pen.moveTo(px, py);
    pen.lineTo(px, cy - bend);
    pen.quadraticCurveTo(px, cy, px + bend, cy);
    pen.lineTo(from, cy);
    pen.stroke();
  });
}
function lastOfLanes(rows) {
  if (rows.endsOf !== rows.columns.lane) {
    rows.endsOf = rows.columns.lane;
    rows.ends = rows.lanes.map((lane) => lane.first);
    for (let index = 0; index < rows.count; index += 1) rows.ends[rows.lane(index)] = index;
  }
  return rows.ends;
}
function marks(view) {
  const { pen, rows, x, y, colours, first, last, roomy, spacing, heads } = view;
  const radius = roomy ? 6 : Math.min(5, spacing / 2.6);
  for (let index = first; index <= last; index += 1) {
    const lane = rows.lane(index);
    if (!visible(view, lane)) continue;
    const [cx, cy] = [x(index), y(lane)];
    mark(pen, cx, cy, radius, rows.flags(index), colours);
    if (heads.includes(index)) ring(pen, cx, cy, radius + 3.5, colours.ink);
    if (roomy) {
      pen.font = `11px ${colours.font}`;
      pen.textAlign = "center";
      pen.textBaseline = "top";
      if (index === view.selected) pen.font = `600 ${pen.font}`;
      pen.fillStyle = index === view.selected ? colours.ink : colours.muted;
      const said = clipped(pen, rows.who(index), spacing - 8);
      pen.strokeStyle = index === view.selected ? colours.soft : colours.back;
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      pen.strokeText(said, cx, cy + radius + 6);
      pen.fillText(said, cx, cy + radius + 6);
    }
  }
}
function mark(pen, cx, cy, radius, flags, colours) {
  pen.lineWidth = 2;
  pen.lineCap = "round";
  if (flags & ERROR) {
    disc(pen, cx, cy, radius + 0.5, colours.back, colours.orange);
    stroke(pen, colours.orange, [[cx - 2.6, cy - 2.6, cx + 2.6, cy + 2.6], [cx + 2.6, cy - 2.6, cx - 2.6, cy + 2.6]]);
  } else if (flags & QUESTION) {
    disc(pen, cx, cy, radius + 0.5, colours.back, colours.amber);
    stroke(pen, colours.amber, [[cx - 1.8, cy - 2.4, cx - 1.8, cy + 2.4], [cx + 1.8, cy - 2.4, cx + 1.8, cy + 2.4]]);
  } else if (flags >> 4 === 2 || flags >> 4 === 3) {
    pen.beginPath();
    pen.moveTo(cx, cy - radius);
    pen.lineTo(cx + radius, cy);
    pen.lineTo(cx, cy + radius);
    pen.lineTo(cx - radius, cy);
    pen.closePath();
    pen.fillStyle = colours.back;
    pen.fill();
    pen.strokeStyle = colours.blue;
    pen.stroke();
  } else if (flags >> 4 === 0) disc(pen, cx, cy, radius - 1, colours.back, colours.blue);
  else disc(pen, cx, cy, radius - 0.5, colours.blue, colours.blue);
}
function disc(pen, cx, cy, radius, inside, edge) {
  pen.beginPath();
  pen.arc(cx, cy, radius, 0, Math.PI * 2);
  pen.fillStyle = inside;
  pen.fill();
  pen.strokeStyle = edge;
  pen.lineWidth = 1.8;
  pen.stroke();
}
function ring(pen, cx, cy, radius, colour) {
  pen.beginPath();
  pen.arc(cx, cy, radius, 0, Math.PI * 2);
  pen.strokeStyle = colour;
  pen.lineWidth = 1.2;
  pen.stroke();
}
function stroke(pen, colour, lines) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.8;
  pen.beginPath();
  for (const [x1, y1, x2, y2] of lines) {
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
  }
  pen.stroke();
}
function buckets(view) {
  const { pen, rows, x, y, colours, first, last, spacing, laneHeight, heads } = view;
  const wide = Math.max(3, Math.min(6, Math.floor(spacing)));
  const columns = Math.ceil(view.width / wide) + 1;
  const worst = view.rows.lanes.map((_, lane) => visible(view, lane) ? new Uint8Array(columns) : null);
  for (let index = first; index <= last; index += 1) {
    const column2 = Math.floor(x(index) / wide);
    const seen = worst[rows.lane(index)];
    if (!seen || column2 < 0 || column2 >= columns) continue;
    const flags = rows.flags(index);
    const rank = flags & ERROR ? 4 : flags & QUESTION ? 3 : flags >> 4 >= 2 ? 2 : 1;
    if (rank > seen[column2]) seen[column2] = rank;
  }
  const looks = [null, [colours.blue, 0.36], [colours.blue, 0.62], [colours.amber, 0.85], [colours.orange, 0.95]];
  worst.forEach((seen, lane) => {
    if (!seen) return;
    for (let column2 = 0; column2 < columns; column2 += 1) {
      if (!seen[column2]) continue;
      const [colour, part] = looks[seen[column2]];
      const high = (laneHeight - 8) * part;
      pen.fillStyle = colour;
      pen.fillRect(column2 * wide, y(lane) - high / 2, wide, high);
    }
  });
  for (const index of heads) {
    const lane = rows.lane(index);
    if (visible(view, lane)) ring(pen, x(index), y(lane), 7, colours.ink);
  }
}
function cursor(view) {
  const { pen, rows, x, y, selected, a, b, colours, roomy, spacing } = view;
  if (selected !== null && selected < rows.count) {
    const [cx, cy] = [x(selected), y(rows.lane(selected))];
    if (spacing < 9) {
      pen.fillStyle = colours.blue;
      pen.fillRect(cx - 1, 2, 2, view.height - 4);
      disc(pen, cx, cy, 4, colours.back, colours.blue);
    }
  }
  for (const [name, index] of [["A", a], ["B", b]]) {
    if (index === null || index >= rows.count) continue;
    flag(pen, x(index), y(rows.lane(index)) - (roomy ? 14 : 10), name, colours);
  }
}
function flag(pen, cx, cy, name, colours) {
  pen.fillStyle = colours.ink;
  pen.beginPath();
  pen.roundRect(cx - 7, cy - 8, 14, 13, 3);
  pen.fill();
  pen.fillStyle = colours.back;
  pen.font = `bold 10px ${colours.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(name, cx, cy - 1);
}
function labels(view, colours) {
  const { pen, rows, y, gutter, selected } = view;
  const current = selected === null ? -1 : rows.lane(selected);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  rows.lanes.forEach((lane, place) => {
    if (place < Math.floor(view.top) || place >= view.top + view.lanesShown) return;
    pen.font = `${place === current ? "600 " : ""}12px ${colours.font}`;
    pen.fillStyle = place === current ? colours.ink : colours.muted;
    pen.fillText(clipped(pen, lane.label, gutter - 18), 12, y(place));
  });
}
var fits = /* @__PURE__ */ new Map();
function clipped(pen, text2, width) {
  const key = `${pen.font}|${Math.round(width)}|${text2}`;
  let found = fits.get(key);
  if (found === void 0) {
    found = text2;
    while (found.length > 1 && pen.measureText(found).width > width) found = `${found.slice(0, -2)}…`;
    if (fits.size > 2e3) fits.clear();
    fits.set(key, found);
  }
  return found;
}

// timeline.js
var WIDEST = 92;
var MOST_LANES = 4;
function timeline(store) {
  const canvas = h("canvas", { class: "wn-timeline-canvas", "aria-hidden": "true" });
  const slider = h("div", {
    class: "wn-timeline-track",
    role: "slider",
    tabindex: "0",
    "aria-label": "Checkpoint",
    "aria-orientation": "horizontal"
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
  const tool = (label2, title, press) => h("button", { type: "button", class: "wn-tool", title, "aria-label": title, onclick: press }, label2);
  const element = h(
    "section",
    { class: "wn-panel wn-timeline", "aria-label": "Timeline" },
    h(
      "div",
      { class: "wn-panel-head" },
      h(
        "div",
        { class: "wn-tools" },
        tool(icon("first"), "First checkpoint (Home)", () => store.select(0)),
        tool(icon("back"), "Step back (left)", () => store.select(store.rows.along(store.selected, -1))),
        tool(icon("forward"), "Step forward (right)", () => store.select(store.rows.along(store.selected, 1))),
        tool(icon("last"), "Head (End)", () => store.select(store.rows.head))
      ),
      place,
      signs,
      h("span", { class: "wn-grow" }),
      h(
        "div",
        { class: "wn-tools" },
        listed,
        tool("−", "Zoom out (-)", () => zoomBy(1 / 1.6)),
        tool("+", "Zoom in (+)", () => zoomBy(1.6)),
        tool("Fit", "Show all (0)", () => zoomBy(0))
      )
    ),
    slider,
    table.element
  );
  const view = { spacing: 0, left: 0, top: 0, width: 0, height: 0, fitted: true };
  let waiting = false;
  let unpainted = true;
  function gutter() {
    const longest = Math.max(4, ...store.rows.lanes.map((lane) => lane.label.length));
    return Math.min(140, view.width * 0.22, 26 + longest * 7);
  }
  function room() {
    return Math.max(40, view.width - gutter() - 26);
  }
  function fitting() {
    return store.rows.count ? Math.min(WIDEST, room() / store.rows.count) : WIDEST;
  }
  function roomy() {
    return view.spacing >= 54;
  }
  function laneHeight() {
    return roomy() ? 44 : 28;
  }
  function shownLanes() {
    return Math.max(1, Math.min(MOST_LANES, store.rows.lanes.length));
  }
  function most() {
    return Math.max(0, store.rows.count - room() / view.spacing);
  }
  function layout() {
    if (view.fitted) {
      view.spacing = fitting();
      view.left = 0;
    }
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
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      const pen = canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(pen, {
        ...view,
        gutter: gutter(),
        laneHeight: laneHeight(),
        roomy: roomy(),
        rows: store.rows,
        heads: store.state?.heads ?? [],
        selected: store.selected,
        a: store.a,
        b: store.b,
        colours: laneColours(element),
        lanesShown: shownLanes()
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
    const jump = (flag2) => () => store.select(store.rows.next(flag2, store.selected ?? -1));
    fill(
      signs,
      errors ? h("button", { type: "button", class: "wn-chip", "data-look": "error", title: "Next error (e)", onclick: jump(ERROR) }, `✗ ${errors} failed`) : null,
      questions ? h("button", { type: "button", class: "wn-chip", "data-look": "waiting", title: "Next question (i)", onclick: jump(QUESTION) }, `‖ ${questions} asked`) : null
    );
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
      for (let index = store.rows.count - 1; index >= 0; index -= 1) if (store.rows.lane(index) === lane) {
        store.select(index);
        break;
      }
    } else store.select(rowAt(event));
    event.preventDefault();
  });
  slider.addEventListener("pointermove", (event) => {
    if (event.buttons === 1 && slider.hasPointerCapture(event.pointerId)) store.select(rowAt(event));
    else if (store.rows.count) {
      const index = rowAt(event);
      slider.title = `step ${store.rows.step(index)} · ${store.rows.who(index)} · ${store.rows.lanes[store.rows.lane(index)].label}`;
    }
  });
  slider.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2);
      event.preventDefault();
      return;
    }
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (sideways && !view.fitted) {
      view.left += (event.deltaX || event.deltaY) / view.spacing;
      event.preventDefault();
      draw();
    } else if (!sideways && store.rows.lanes.length > MOST_LANES) {
      const before = view.top;
      view.top += Math.sign(event.deltaY);
      layout();
      if (view.top !== before) event.preventDefault();
      draw();
    }
  }, { passive: false });
  store.on((what) => {
    if (what === "rows") unpainted = true;
    if (what === "rows" || what === "state") {
      counts();
      words();
      reveal();
      draw();
    } else if (what === "selected") {
      words();
      reveal();
      draw();
    } else if (what === "marks" || what === "theme") draw();
  });
  const observer = new ResizeObserver(draw);
  observer.observe(slider);
  words();
  return { element, zoomBy, close: () => observer.disconnect() };
}

// index.js
function render({ model, el }) {
  const store = new Store(model);
  const panels = new Set(model.get("panels"));
  const editor = new Editor(store);
  const root = h("div", { class: "wn", tabindex: "0", "data-lm-suppress-shortcuts": "true", role: "group", "aria-label": "Debugger" });
  const closers = [];
  const made = {};
  el.append(root);
  const add = (part) => root.append(part.element ?? part);
  if (panels.has("header")) add(header(store));
  add(alerts(store));
  if (panels.has("graph") || panels.has("details")) {
    const main = h("div", { class: "wn-main" });
    root.append(main);
    if (panels.has("graph")) {
      const picture = graph(store);
      main.append(picture.element);
      closers.push(picture.close);
    }
    if (panels.has("details")) {
      made.details = details(store, model, editor);
      main.append(made.details.element);
      closers.push(made.details.close);
    }
  }
  if (panels.has("timeline")) {
    made.timeline = timeline(store);
    add(made.timeline);
    closers.push(made.timeline.close);
  }
  if (panels.has("actions")) add(actions(store, editor));
  root.dataset.panels = [...panels].join(" ");
  if (panels.size > 3) root.classList.add("wn-whole");
  const help = h(
    "div",
    { class: "wn-help", hidden: true, role: "dialog", "aria-label": "Keys" },
    h("h3", {}, "Keys"),
    h("dl", {}, HELP.map(([key, what]) => [h("dt", {}, key), h("dd", {}, what)]))
  );
  root.append(help);
  const toggleHelp = () => {
    help.hidden = !help.hidden;
  };
  const head = root.querySelector(".wn-header");
  head?.append(h("button", { type: "button", class: "wn-tool", title: "Keys (?)", "aria-label": "Keys", onclick: toggleHelp }, "?"));
  keys(root, store, { details: made.details, timeline: made.timeline, editor, help: toggleHelp });
  root.addEventListener("click", (event) => {
    if (!help.hidden && !event.target.closest(".wn-help, .wn-tool")) help.hidden = true;
  });
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
var index_default = { render };
export {
  index_default as default
};
