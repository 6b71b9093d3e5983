// The strokes of the timeline.

import { ERROR, QUESTION } from "./wire.js";

const TOP = 7;
const PAD = 13;

export function laneColours(element) {
  const style = getComputedStyle(element);
  const of = (name) => style.getPropertyValue(name).trim();
  return {
    ink: of("--wn-ink"), muted: of("--wn-muted"), line: of("--wn-rail"), back: of("--wn-back"), blue: of("--wn-blue"),
    orange: of("--wn-orange"), amber: of("--wn-amber"), green: of("--wn-green"), soft: of("--wn-soft"),
    font: of("--wn-font") || "sans-serif",
  };
}

export function paint(pen, view) {
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

// Says that there are more lanes than fit.
function scrollBar({ pen, rows, top, lanesShown, width, height, colours }) {
  const all = rows.lanes.length;
  if (all <= lanesShown) return;
  const long = height - 8;
  pen.fillStyle = colours.line;
  pen.beginPath();
  pen.roundRect(width - 7, 4 + (long * top) / all, 4, Math.max(12, (long * lanesShown) / all), 2);
  pen.fill();
}

function visible(view, lane) { return lane >= view.top - 1 && lane <= view.top + view.lanesShown; }

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
      // A rim, so that the line of a fork does not run through the name.
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
    // An edit or a fork: a diamond, someone's hand was here.
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
  for (const [x1, y1, x2, y2] of lines) { pen.moveTo(x1, y1); pen.lineTo(x2, y2); }
  pen.stroke();
}

// More rows than pixels: a column shows its most severe member.
function buckets(view) {
  const { pen, rows, x, y, colours, first, last, spacing, laneHeight, heads } = view;
  const wide = Math.max(3, Math.min(6, Math.floor(spacing)));
  const columns = Math.ceil(view.width / wide) + 1;
  const worst = view.rows.lanes.map((_, lane) => (visible(view, lane) ? new Uint8Array(columns) : null));
  for (let index = first; index <= last; index += 1) {
    const column = Math.floor(x(index) / wide);
    const seen = worst[rows.lane(index)];
    if (!seen || column < 0 || column >= columns) continue;
    const flags = rows.flags(index);
    const rank = flags & ERROR ? 4 : flags & QUESTION ? 3 : flags >> 4 >= 2 ? 2 : 1;
    if (rank > seen[column]) seen[column] = rank;
  }
  const looks = [null, [colours.blue, 0.36], [colours.blue, 0.62], [colours.amber, 0.85], [colours.orange, 0.95]];
  worst.forEach((seen, lane) => {
    if (!seen) return;
    for (let column = 0; column < columns; column += 1) {
      if (!seen[column]) continue;
      const [colour, part] = looks[seen[column]];
      const high = (laneHeight - 8) * part;
      pen.fillStyle = colour;
      pen.fillRect(column * wide, y(lane) - high / 2, wide, high);
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

const fits = new Map();
function clipped(pen, text, width) {
  const key = `${pen.font}|${Math.round(width)}|${text}`;
  let found = fits.get(key);
  if (found === undefined) {
    found = text;
    while (found.length > 1 && pen.measureText(found).width > width) found = `${found.slice(0, -2)}\u2026`;
    if (fits.size > 2000) fits.clear();
    fits.set(key, found);
  }
  return found;
}
