// Reads the binary columns of weavenb/payload/columns.py.

export const ERROR = 1;
export const QUESTION = 2;
export const LABELLED = 4;
export const OPEN = 8;
export const SOURCES = ["input", "loop", "update", "fork"];

const ARRAYS = {
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array, f8: Float64Array,
};

function column(kind, buffer) {
  const view = buffer instanceof DataView ? buffer : new DataView(buffer.buffer ?? buffer, buffer.byteOffset ?? 0, buffer.byteLength);
  const Kind = ARRAYS[kind];
  // A buffer of a message may begin anywhere, a typed array may not: copy.
  const copied = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  return new Kind(copied);
}

export class Rows {
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

  flags(index) { return this.columns.flags[index]; }
  lane(index) { return this.columns.lane[index]; }
  parent(index) { return this.columns.parent[index]; }
  step(index) { return this.columns.step[index]; }
  source(index) { return SOURCES[this.columns.flags[index] >> 4]; }
  who(index) { return this.tables.nodes[this.columns.node[index]] || this.source(index); }
  duration(index) { return this.columns.duration[index]; }

  // The next row of `flag` after `from`, going round.
  next(flag, from, step = 1) {
    for (let walked = 1; walked <= this.count; walked += 1) {
      const index = (from + step * walked + this.count * 2) % this.count;
      if (this.flags(index) & flag) return index;
    }
    return null;
  }

  named(index) { return this.step(index) < 0 ? `the ${this.who(index)}` : `step ${this.step(index)} (${this.who(index)})`; }

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
    const places = new Set();
    this.tables.nodes.forEach((said, place) => { if (said === node || said.split("+").includes(node)) places.add(place); });
    const found = [];
    if (places.size) for (let at = this.count - 1; at >= 0; at -= 1) if (places.has(this.columns.node[at])) found.push(at);
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
}
