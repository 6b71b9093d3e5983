// What the page knows, and how it asks the kernel.

import { Rows } from "./wire.js";

const KEPT = 300;
const SLOW = 1500;
const LOST = 10000;

export class Store {
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
    this.kept = new Map();
    this.waiting = new Map();
    this.listeners = new Set();
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

  on(listener) { this.listeners.add(listener); }
  tell(what) { for (const listener of this.listeners) listener(what); }

  // ------------------------------------------------------------ to the kernel
  send(type, more = {}, done = null) {
    this.asked += 1;
    const id = this.asked;
    this.waiting.set(id, { since: performance.now(), done, type });
    this.model.send({ type, id, ...more });
    return id;
  }

  hello() { this.send("hello", {}, () => {}); }

  refresh() { if (this.kernel === "ok" && !this.pending("refresh")) this.send("refresh"); }

  retry() { if (this.state) this.refresh(); else this.send("resend"); }

  pending(type) { return [...this.waiting.values()].some((one) => one.type === type); }

  select(index) {
    if (index === null || index < 0 || index >= this.rows.count) return;
    const moved = index !== this.selected;
    this.selected = index;
    if (moved) this.moves += 1;
    if (index === this.rows.head || index === this.arrived) { this.unseen = 0; this.arrived = null; }
    if (moved) this.tell("selected");
    this.load();
  }

  // Another view moved: follow it, without telling it so.
  follow({ row, a, b }) {
    if (row === null || row >= this.rows.count || (row === this.selected && a === this.a && b === this.b)) return;
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
    // At most one question is on its way: while a key is held, the last row wins.
    if (this.loading) { this.again = true; return; }
    this.loading = true;
    this.loadingSince = performance.now();
    const row = this.selected;
    this.unread = null;
    this.send("details", { row, a: this.a, b: this.b, select }, (answer) => {
      this.loading = false;
      if (answer.kind === "details") {
        this.keep(key, answer);
        if (this.key() === key) { this.details = answer; this.tell("details"); }
      } else if (this.key() === key && this.details?.row !== row) {
        this.unread = row;
        this.tell("details");
      }
      if (this.again) { this.again = false; this.load(); }
    });
  }

  key() { return `${this.rows.epoch}/${this.selected}/${this.a}/${this.b}`; }

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
      graph: () => { this.graph = content; this.tell("graph"); },
      state: () => this.takeState(content),
      goto: () => this.follow(content),
      busy: () => { this.busy = content.action; this.tell("busy"); },
      acted: () => this.takeActed(content),
      failed: () => this.takeFailed(content, acting),
    }[content.kind];
    if (handle) handle();
  }

  answered(content) {
    if (this.kernel !== "ok") { this.kernel = "ok"; this.tell("kernel"); }
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
    if (!this.rows.take(content, buffers)) { if (!this.pending("resend")) this.send("resend"); return; }
    if (fresh) { this.kept.clear(); this.selected = null; this.a = null; this.b = null; this.details = null; this.unseen = 0; }
    else if (content.from < before) for (const key of [...this.kept.keys()]) if (Number(key.split("/")[1]) >= content.from) this.kept.delete(key);
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
    // What is known of a head changes without a new row: a question is answered, a sibling ends.
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
      // The reader looks at something else meanwhile: what came is only announced.
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
    if (kernel !== this.kernel) { this.kernel = kernel; this.tell("kernel"); }
  }
}
