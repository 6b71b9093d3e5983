// The forms behind the buttons. Nothing here writes: they only say what would be written.

import { fill, h } from "./dom.js";
import { choices, question } from "./question.js";

const MOST = 1024 * 1024;
const TITLES = { update: "Edit state", fork: "Fork", resume: "Answer" };

export class Editor {
  constructor(store) {
    this.store = store;
    this.action = null;
    this.element = h("div", { class: "wn-editor" });
    this.fields = {};
    this.problem = null;
  }

  get open() { return this.action !== null && this.action !== "replay"; }
  get title() { return TITLES[this.action] ?? ""; }

  start(action) {
    this.action = action;
    // Who writes here looks here: a run that ends meanwhile does not move the selection.
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
    if (answers) made.answer = JSON.stringify(Object.fromEntries(answers.map(([id, field]) => [id, loose(field.value)])));
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

  changed() { this.store.tell("edited"); }

  area(rows) {
    const field = h("textarea", { class: "wn-code-field", rows, spellcheck: "false", autocomplete: "off", "aria-label": "Values to write, JSON", oninput: () => this.changed() });
    field.value = "{}";
    this.fields.values = field;
    return field;
  }

  chips(field) {
    const items = this.store.details?.values.items ?? [];
    return h("div", { class: "wn-chips" }, items.map(([key, value]) => {
      const said = asJson(value, "  ");
      return h("button", {
        type: "button", class: "wn-chip", disabled: said === null, onclick: () => this.insert(field, key, said),
        title: said === null ? `${key} is too large, or no JSON: write it by code` : `Write ${key}`,
      }, key);
    }));
  }

  // As text, so that 1.0 stays 1.0.
  insert(field, key, said) {
    const whole = parsed(field.value);
    if (whole === null) return;
    const name = `${JSON.stringify(key)}: `;
    if (!(key in whole)) {
      const before = field.value.trim().replace(/\s*\}$/, "") || "{";
      field.value = `${before}${before === "{" ? "" : ","}\n  ${name}${said}\n}`;
    }
    const at = field.value.indexOf(name) + name.length;
    const inner = field.value[at] === '"' ? 1 : 0;
    const stop = field.value.startsWith(said, at) ? at + said.length : at;
    field.focus();
    field.setSelectionRange(at + inner, Math.max(at + inner, stop - inner));
    this.changed();
  }

  updateForm() {
    const field = this.area(7);
    this.fields.first = field;
    const nodes = (this.store.graph?.nodes ?? []).filter((node) => node.kind !== "start" && node.kind !== "end");
    this.fields.asNode = h("select", { class: "wn-select", onchange: () => this.changed() }, h("option", { value: "" }, "the last node"),
      nodes.map((node) => h("option", { value: node.name }, node.name)));
    this.fields.branch = h("input", { class: "wn-input", placeholder: "none", spellcheck: "false", oninput: () => this.changed() });
    return [
      h("p", { class: "wn-muted wn-note" }, "Written after this checkpoint, through the reducers. Nothing runs."),
      this.chips(field), field,
      h("div", { class: "wn-fields" }, label("as written by", this.fields.asNode), label("branch", this.fields.branch)),
    ];
  }

  forkForm() {
    const group = `wn-where-${Math.random().toString(36).slice(2)}`;
    const radio = (value, checked) => h("input", { type: "radio", name: group, value, checked, onchange: () => this.changed() });
    this.fields.where = { branch: radio("branch", true), thread: radio("thread", false) };
    this.fields.name = h("input", { class: "wn-input", spellcheck: "false", oninput: () => this.changed() });
    this.fields.name.value = this.freeName();
    this.fields.first = this.fields.name;
    const field = this.area(4);
    return [
      h("p", { class: "wn-muted wn-note" }, "Another way from this checkpoint. What is there stays as it is. Nothing runs."),
      h("div", { class: "wn-fields" },
        h("label", { class: "wn-radio" }, this.fields.where.branch, "in this thread"), h("label", { class: "wn-radio" }, this.fields.where.thread, "as a new thread"),
        label("name", this.fields.name)),
      h("p", { class: "wn-muted wn-note" }, "With an edit, if you like:"), this.chips(field), field,
    ];
  }

  freeName() {
    const taken = new Set([...this.store.rows.lanes.map((lane) => lane.label), ...(this.store.state?.threads ?? []).map((one) => one.thread)]);
    let place = 1;
    while (taken.has(`alt-${place}`)) place += 1;
    return `alt-${place}`;
  }

  resumeForm() {
    const questions = this.store.details?.questions ?? [];
    const asks = (one, into) => [h("div", {}, h("strong", {}, one.node), h("span", { class: "wn-muted" }, " asks")), question(one.value),
      choices(one.value, (said) => { into.value = said; this.changed(); })];
    const input = () => h("input", { class: "wn-input wn-wide", spellcheck: "false", "aria-label": "Answer", oninput: () => this.changed() });
    if (questions.length > 1) {
      this.fields.answers = questions.map((one) => [one.id, input()]);
      return questions.map((one, place) => h("div", { class: "wn-ask" }, asks(one, this.fields.answers[place][1]), this.fields.answers[place][1]));
    }
    this.fields.answer = input();
    this.fields.first = this.fields.answer;
    return [questions.length ? h("div", { class: "wn-ask" }, asks(questions[0], this.fields.answer)) : h("p", { class: "wn-muted wn-note" }, "No question is open at this checkpoint."),
      this.fields.answer, h("p", { class: "wn-muted wn-note" }, "Text, or JSON such as true, 3 or {\"ok\": true}.")];
  }
}

function label(name, field) { return h("label", { class: "wn-field" }, h("span", {}, name), field); }

function parsed(said) {
  try {
    const value = JSON.parse(said?.trim() || "{}");
    return value && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch { return null; }
}

function loose(said) {
  try { return JSON.parse(said); } catch { return said; }
}

// A shown value back as JSON text; null where it was cut, or where JSON cannot say it.
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
  return line.length < 60 && !line.includes("\n") ? line : `${open}\n${indent}  ${parts.join(`,\n${indent}  `)}\n${indent}${close}`;
}
