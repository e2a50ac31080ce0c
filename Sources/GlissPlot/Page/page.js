"use strict";
// Draws what the recognizer reported. Nothing is recognized or weighed here.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const fingers = ["--f1", "--f2", "--f3", "--f4", "--f5", "--f6"];
const dashes = { pinch: [8, 3], rotate: [3, 3], still: [10, 3, 2, 3], rest: [1, 3], late: [1, 3], lateRotate: [1, 3] };
const state = { stroke: 0, time: 0, isPlaying: false, zoom: 1, row: -1, value: 0 };
let shown, layer, colours = {};
// The size of a pixel on a typical screen.
let u = 1;

// MARK: Data

const sums = (steps) => { let sum = 0; return Float64Array.from(steps, (step) => (sum += step)); };

function result(part) {
  if (part.et && !part.evidence) part.evidence = sums(part.et);
  return part;
}

function stroke(index) {
  const stroke = data.strokes[index];
  if (!stroke.times) {
    stroke.times = sums(stroke.t);
    for (const contact of stroke.contacts) {
      contact.px = sums(contact.x).map((v) => v / 100);
      contact.py = sums(contact.y).map((v) => v / 100);
      contact.last = contact.first + contact.px.length - 1;
    }
  }
  return result(stroke);
}

// The result to draw over time: the original one, or that of the chosen setting.
function current() {
  const change = state.row >= 0 && data.grid[state.row].changes
    .find((c) => c.value === state.value && c.stroke === state.stroke);
  return change ? result(change) : shown;
}

// The index of the last element that is not later than `time`.
function before(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) { const middle = (low + high) >> 1; if (times[middle] <= time) low = middle + 1; else high = middle; }
  return low - 1;
}

const frame = () => Math.max(0, before(shown.times, state.time));
function rests(contact, step) {
  let count = 0;
  while (count < contact.rests.length && contact.rests[count] <= step) count += 1;
  return count % 2 === 1;
}
const hundredths = (value) => (value < 0 ? "–" : (value / 100).toFixed(2));
const ms = (time) => (time / 1000).toFixed(0);
const colour = (name) => colours[name] || (colours[name] = getComputedStyle(document.documentElement).getPropertyValue(name).trim());
const finger = (index) => colour(fingers[index % fingers.length]);
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

// MARK: The pad

function context(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; canvas.style.height = height + "px"; }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

// The visible part of the pad, in mm.
function view() {
  const { w, h } = shown.size;
  if (!$("fit").checked) return { x: 0, y: 0, w, h };
  let [left, top, right, bottom] = [w, h, 0, 0];
  for (const { px, py } of shown.contacts) for (let i = 0; i < px.length; i += 1) {
    left = Math.min(left, px[i]); right = Math.max(right, px[i]);
    top = Math.min(top, py[i]); bottom = Math.max(bottom, py[i]);
  }
  const side = Math.max(8, right - left, (bottom - top) * w / h) * 1.25;
  return { x: (left + right - side) / 2, y: (top + bottom - side * h / w) / 2, w: side, h: side * h / w };
}

let padPlace = (x, y) => [x, y];

function drawPad() {
  const canvas = $("pad"), part = view(), unit = rem();
  const width = canvas.clientWidth - 4, most = Math.max(160, window.innerHeight * 0.55);
  const scale = Math.min(width / part.w, most / part.h);
  const pen = context(canvas, part.h * scale + 4 + 1.4 * unit);
  padPlace = (x, y) => [2 + (x - part.x) * scale, 2 + (y - part.y) * scale];
  pen.fillStyle = colour("--pad"); pen.strokeStyle = colour("--dim"); pen.lineWidth = 1 * u;
  const [x0, y0] = padPlace(0, 0);
  pen.save();
  pen.beginPath(); pen.rect(1, 1, part.w * scale + 2, part.h * scale + 2); pen.clip();
  pen.beginPath(); pen.roundRect(x0, y0, shown.size.w * scale, shown.size.h * scale, 6); pen.fill(); pen.stroke();
  const now = frame();
  shown.contacts.forEach((contact, index) => drawPath(pen, contact, index, now));
  shown.contacts.forEach((contact, index) => drawMarks(pen, contact, index, now, unit));
  pen.restore();
  const ruler = part.w >= 60 ? 10 : part.w >= 12 ? 2 : 1, right = 2 + part.w * scale, y = part.h * scale + 4 + 0.7 * unit;
  pen.strokeStyle = pen.fillStyle = colour("--dim");
  pen.beginPath(); pen.moveTo(right - ruler * scale, y); pen.lineTo(right, y); pen.stroke();
  text(pen, ruler + " mm", right - ruler * scale - 6, y + unit / 4, "right");
}

function text(pen, words, x, y, align = "left", size = 0.8) {
  pen.font = `${size * rem()}px system-ui, "DejaVu Sans", sans-serif`;
  pen.textAlign = align;
  pen.fillText(words, x, y);
}

// Older parts are fainter; parts where the finger rested are dotted. Long paths are thinned.
function drawPath(pen, contact, index, now) {
  const end = Math.min(now, contact.last) - contact.first;
  if (end < 1) return;
  const shades = 12, step = Math.max(1, Math.floor(end / 3000));
  pen.strokeStyle = finger(index);
  for (let shade = 0; shade < shades; shade += 1) {
    const [from, to] = [Math.floor(end * shade / shades), Math.floor(end * (shade + 1) / shades)];
    if (to <= from) continue;
    const isResting = rests(contact, to);
    pen.globalAlpha = 0.25 + 0.75 * (shade + 1) / shades;
    pen.lineWidth = (isResting ? 1.5 : 3.5) * u;
    pen.setLineDash((isResting ? [2, 4] : []).map((n) => n * u));
    pen.beginPath();
    pen.moveTo(...padPlace(contact.px[from], contact.py[from]));
    for (let i = from + step; i < to; i += step) pen.lineTo(...padPlace(contact.px[i], contact.py[i]));
    pen.lineTo(...padPlace(contact.px[to], contact.py[to]));
    pen.stroke();
  }
  pen.globalAlpha = 1; pen.setLineDash([]);
}

function disc(pen, [x, y], radius, tone, isHollow, words) {
  pen.beginPath(); pen.arc(x, y, radius, 0, 7);
  pen.fillStyle = isHollow ? colour("--page") : tone; pen.fill();
  pen.strokeStyle = tone; pen.lineWidth = 2 * u; pen.stroke();
  pen.fillStyle = isHollow ? tone : colour("--page");
  if (words) text(pen, words, x, y + radius * 0.42, "center", radius * 1.2 / rem());
}

function drawMarks(pen, contact, index, now, unit) {
  if (now < contact.first) return;
  const tone = finger(index), radius = unit * 0.55, { px, py } = contact;
  for (const decision of current().decisions) {
    const step = before(shown.times, decision.at) - contact.first;
    if (!decision.marks || decision.at > state.time || step < 0 || step >= px.length || rests(contact, step)) continue;
    const [x, y] = padPlace(px[step], py[step]);
    pen.fillStyle = colour("--mark");
    const r = 6 * u;
    pen.beginPath(); pen.moveTo(x, y - r); pen.lineTo(x + r, y); pen.lineTo(x, y + r); pen.lineTo(x - r, y); pen.fill();
  }
  const step = Math.min(now, contact.last) - contact.first;
  disc(pen, padPlace(px[0], py[0]), radius * 0.6, tone, true, "");
  const place = padPlace(px[step], py[step]);
  if (contact.end && now >= contact.last) {
    const [x, y] = place;
    const r = 6 * u;
    pen.strokeStyle = tone; pen.lineWidth = 2.5 * u;
    pen.beginPath(); pen.moveTo(x - r, y - r); pen.lineTo(x + r, y + r); pen.moveTo(x + r, y - r); pen.lineTo(x - r, y + r); pen.stroke();
    pen.fillStyle = tone; text(pen, index + 1, x + 1.5 * r, y - r);
  } else {
    disc(pen, place, radius, tone, rests(contact, step), String(index + 1));
  }
}

// MARK: Over time

const curves = () => {
  const drag = (current().fingers || []).some((count) => count > 2) ? "swipe" : "drag";
  return [["drag", drag, "--" + drag], ["pinch", "pinch", "--pinch"], ["rotate", "rotate", "--rotate"],
    ["still", "still", "--still"], ["rest", "rest", "--rest"], ["late", "late-" + drag, "--" + drag],
    ["lateRotate", "late-rotate", "--rotate"]].filter(([key]) => current()[key]);
};

function chart() {
  const unit = rem(), width = $("chart").clientWidth, part = current();
  const left = 4.2 * unit, right = Math.max(left + 60, width - 6 * unit), row = 1.1 * unit;
  const length = Math.max(1000, shown.end), span = length / state.zoom;
  const start = Math.max(0, Math.min(length - span, state.time - span / 2));
  const top = 1.4 * unit, evidence = top + shown.contacts.length * row + 3.2 * unit;
  const gestures = evidence + (part.evidence ? 11 * unit : unit) + 1.8 * unit;
  const axis = gestures + Math.max(1, part.gestures.length) * 1.5 * unit;
  return { unit, width, left, right, row, start, span, top, evidence, gestures, axis, height: axis + 2.6 * unit,
    x: (time) => left + (time - start) / span * (right - left), time: (x) => start + (x - left) / (right - left) * span };
}

function ticks(from, to, count) {
  const least = (to - from) / count, unit = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= least);
  const values = [];
  for (let v = Math.ceil(from / step) * step; v <= to + step / 1e6; v += step) values.push(v);
  return [values, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))];
}

// Everything except the current time's line. Redrawn only when something else has changed.
function drawLayer(c) {
  const key = JSON.stringify([state.stroke, state.row, state.value, c.start, c.span, c.width, c.unit, window.devicePixelRatio, colour("--page")]);
  if (layer && layer.key === key) return;
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(c.width * ratio); canvas.height = Math.round(c.height * ratio);
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  layer = { key, canvas };
  const dim = colour("--dim"), part = current();
  pen.lineWidth = 1 * u;
  const [times, decimals] = ticks(c.start / 1000, (c.start + c.span) / 1000, Math.max(2, (c.right - c.left) / (5 * c.unit)));
  for (const value of times) {
    const x = c.x(value * 1000);
    pen.strokeStyle = colour("--line"); pen.beginPath(); pen.moveTo(x, c.top); pen.lineTo(x, c.axis); pen.stroke();
    pen.fillStyle = dim; text(pen, value.toFixed(decimals), x, c.axis + c.unit, "center");
  }
  pen.fillStyle = dim;
  text(pen, "ms since the first finger landed", c.right, c.axis + 2.2 * c.unit, "right");
  text(pen, "fingers down", c.left, c.top - 0.4 * c.unit);
  text(pen, part.evidence ? "left unexplained, mm" : "nothing was weighed", c.left, c.evidence - 0.4 * c.unit);
  text(pen, part.gestures.length ? "gestures" : "gestures: none", c.left, c.gestures - 0.4 * c.unit);
  pen.save();
  pen.beginPath(); pen.rect(c.left, 0, c.right - c.left, c.height); pen.clip();
  shown.contacts.forEach((contact, index) => drawBar(pen, c, contact, index));
  for (const decision of part.decisions) if (decision.marks) line(pen, c.x(decision.at), c, "--mark", [2, 4]);
  pen.restore();
  shown.contacts.forEach((contact, index) => {
    pen.fillStyle = finger(index); text(pen, "finger " + (index + 1), c.left - 6, c.top + (index + 0.75) * c.row, "right", 0.75);
  });
  if (part.evidence) drawEvidence(pen, c, part);
  drawGestures(pen, c, part);
}

function drawBar(pen, c, contact, index) {
  const edges = [0, ...contact.rests, contact.px.length - 1];
  pen.strokeStyle = pen.fillStyle = finger(index); pen.lineWidth = 1.5 * u;
  for (let i = 0; i + 1 < edges.length; i += 1) {
    const [from, to] = [c.x(shown.times[contact.first + edges[i]]), c.x(shown.times[contact.first + edges[i + 1]])];
    const box = [from, c.top + index * c.row + 2, Math.max(2, to - from), c.row - 4];
    if (i % 2 === 1) pen.strokeRect(...box); else if (edges[i + 1] > edges[i]) pen.fillRect(...box);
  }
}

function line(pen, x, c, tone, dash) {
  pen.strokeStyle = colour(tone); pen.lineWidth = 1.5 * u; pen.setLineDash((dash).map((n) => n * u));
  pen.beginPath(); pen.moveTo(x, c.top); pen.lineTo(x, c.axis); pen.stroke(); pen.setLineDash([]);
}

function drawEvidence(pen, c, part) {
  const height = 10.5 * c.unit, bottom = c.evidence + height;
  let most = 50;
  part.line.forEach((value, i) => { most = Math.max(most, value, value - part.needed[i] + Math.min(part.lead[i], 4 * part.needed[i])); });
  most *= 1.15;
  const y = (value) => bottom - Math.min(value, most * 4) / most * height;
  const [values, decimals] = ticks(0, most / 100, 5);
  for (const value of values) {
    pen.strokeStyle = colour("--line"); pen.lineWidth = 1 * u; pen.beginPath(); pen.moveTo(c.left, y(value * 100)); pen.lineTo(c.right, y(value * 100)); pen.stroke();
    pen.fillStyle = colour("--dim"); text(pen, value.toFixed(decimals), c.left - 6, y(value * 100) + 4, "right", 0.75);
  }
  // fingers that land or lift, and pauses, begin a new piece
  const pieces = [];
  part.evidence.forEach((time, i) => {
    const isNew = i === 0 || part.fingers[i] !== part.fingers[i - 1] || time - part.evidence[i - 1] > 100000;
    if (isNew) pieces.push([]);
    pieces[pieces.length - 1].push(i);
  });
  pen.save();
  pen.beginPath(); pen.rect(c.left, c.evidence - 2, c.right - c.left, height + 4); pen.clip();
  const path = (values, piece) => {
    let isDown = false;
    for (const i of piece) {
      if (values[i] < 0) { isDown = false; continue; }
      const place = [c.x(part.evidence[i]), y(values[i])];
      if (isDown) pen.lineTo(...place); else pen.moveTo(...place);
      isDown = true;
    }
  };
  pen.fillStyle = colour("--mark"); pen.globalAlpha = 0.12;
  const least = part.line.map((value, i) => value - part.needed[i]);
  for (const piece of pieces) {
    pen.beginPath(); path(part.line, piece);
    for (const i of [...piece].reverse()) pen.lineTo(c.x(part.evidence[i]), y(least[i]));
    pen.fill();
  }
  pen.globalAlpha = 1;
  const lines = curves().map(([key, name, tone]) => [part[key], name, tone, dashes[key] || []]);
  for (const [values, , tone, dash] of [...lines, [part.line, "", "--mark", []]]) {
    pen.strokeStyle = colour(tone); pen.lineWidth = 2 * u; pen.setLineDash((dash).map((n) => n * u));
    pen.beginPath(); for (const piece of pieces) path(values, piece); pen.stroke();
  }
  pen.setLineDash([]); pen.restore();
  const end = part.line.length - 1, x = Math.min(Math.max(c.x(part.evidence[end]), c.left), c.right) + 8;
  let lowest = bottom + c.unit;
  for (const [values, name, tone] of [...lines, [part.line, "lead needed", "--mark"]].sort((a, b) => a[0][end] - b[0][end])) {
    if (values[end] < 0) continue;
    lowest = Math.min(lowest - 0.95 * c.unit, y(Math.min(values[end], most)) + 4);
    pen.fillStyle = colour(tone); text(pen, name + (values[end] > most ? " ↑" : ""), x, lowest);
  }
}

function drawGestures(pen, c, part) {
  part.gestures.forEach((gesture, index) => {
    const y = c.gestures + index * 1.5 * c.unit, tone = colour("--" + gesture.kind);
    const [from, to] = [c.x(gesture.from), c.x(gesture.to)].map((x) => Math.min(Math.max(x, c.left), c.right));
    pen.fillStyle = pen.strokeStyle = tone; pen.lineWidth = 1.5 * u;
    const box = [from, y, Math.max(3, to - from), c.unit];
    if (gesture.undone) pen.strokeRect(...box); else pen.fillRect(...box);
    const isRight = to + gesture.words.length * 0.5 * c.unit < c.width;
    text(pen, gesture.words, isRight ? to + 6 : from - 6, y + 0.8 * c.unit, isRight ? "left" : "right");
  });
}

function drawChart() {
  const c = chart(), pen = context($("chart"), c.height);
  drawLayer(c);
  pen.drawImage(layer.canvas, 0, 0, c.width, c.height);
  const x = c.x(state.time);
  if (x >= c.left && x <= c.right) line(pen, x, c, "--text", []);
}

// MARK: Words

let announced = 0;
function announce(isFinal) {
  const now = performance.now();
  if (!isFinal && now - announced < 100) return;
  announced = now;
  const index = frame(), words = `frame ${index + 1} of ${shown.times.length}, ${ms(state.time)} ms`;
  $("frame").textContent = words;
  $("time").value = index;
  $("time").setAttribute("aria-valuetext", words);
  const rows = [];
  shown.contacts.forEach((contact, i) => {
    const step = index - contact.first;
    if (step < 0 || step >= contact.px.length) return;
    rows.push(["finger " + (i + 1) + (rests(contact, step) ? ", rests" : ""), `${contact.px[step].toFixed(2)}, ${contact.py[step].toFixed(2)} mm`]);
  });
  rows.push(...evidenceAt(state.time));
  const body = $("numbers").tBodies[0];
  body.replaceChildren(...rows.map(([name, value]) => {
    const row = document.createElement("tr"), head = document.createElement("th"), cell = document.createElement("td");
    head.scope = "row"; head.textContent = name; cell.textContent = value;
    row.append(head, cell);
    return row;
  }));
}

function evidenceAt(time) {
  const part = current();
  const index = part.evidence ? before(part.evidence, time) : -1;
  if (index < 0 || time - part.evidence[index] > 100000) return [];
  const rows = curves().filter(([key]) => part[key][index] >= 0).map(([key, name]) => [name + " leaves", hundredths(part[key][index]) + " mm"]);
  return [...rows, ["lead", (part.lead[index] / 100).toFixed(2) + " mm"], ["lead needed", hundredths(part.needed[index]) + " mm"]];
}

// MARK: Changes

function redraw() { u = rem() / 15; drawPad(); drawChart(); }

function goTo(time) {
  state.time = Math.max(0, Math.min(shown.end, time));
  redraw(); announce(true);
}

function step(count) {
  pause();
  goTo(shown.times[Math.max(0, Math.min(shown.times.length - 1, frame() + count))]);
}

// Shows the whole stroke, unless `time` is given to play it.
function show(index, time = Infinity) {
  state.stroke = Math.max(0, Math.min(data.strokes.length - 1, index));
  shown = stroke(state.stroke);
  const device = `${shown.device}, ${shown.size.w} × ${shown.size.h} mm${shown.assumed ? " assumed" : ""}`;
  $("device").textContent = `${device}, at ${(shown.at / 1e6).toFixed(3)} s${data.settings ? ", with " + data.settings : ""}`;
  $("pad").setAttribute("aria-label", `stroke ${state.stroke + 1}: ${shown.contacts.length} fingers, ${shown.summary}`);
  $("stroke").value = state.stroke;
  $("time").max = shown.times.length - 1;
  showDecisions();
  goTo(time);
}

function showDecisions() {
  const part = current();
  $("chart").setAttribute("aria-label", `stroke ${state.stroke + 1}: ${part.summary}`);
  $("decisions").replaceChildren(...part.decisions.map(({ words }) => item(words)));
}

function item(words) { const item = document.createElement("li"); item.textContent = words; return item; }

let last = 0;
function play() {
  if (state.isPlaying) return;
  if (state.time >= shown.end) goTo(0);
  state.isPlaying = true; last = 0; $("play").textContent = "Pause";
  requestAnimationFrame(tick);
}

function pause() { if (state.isPlaying) { state.isPlaying = false; $("play").textContent = "Play"; announce(true); } }

function tick(now) {
  if (!state.isPlaying) return;
  const passed = last ? (now - last) * 1000 * Number($("speed").value) : 0;
  last = now;
  state.time += passed;
  if (state.time >= shown.end) {
    if (state.stroke + 1 < data.strokes.length) show(state.stroke + 1, 0);
    else { pause(); goTo(shown.end); return; }
  }
  redraw(); announce(false);
  requestAnimationFrame(tick);
}

function showSetting() {
  const row = data.grid[state.row];
  if (!row) return;
  $("about").textContent = row.summary;
  $("values").max = row.values.length - 1;
  $("values").value = state.value;
  const words = `${row.name} = ${row.values[state.value].v} ${row.unit}${state.value === row.base ? " (as drawn)" : ""}`;
  $("value").textContent = words;
  $("values").setAttribute("aria-valuetext", words);
  const changes = row.changes.filter((change) => change.value === state.value);
  $("verdict").textContent = state.value === row.base ? "This is what was recognized."
    : changes.length === 0 ? "Nothing would have changed." : `${changes.length} of ${data.strokes.length} strokes would have changed:`;
  $("changes").replaceChildren(...changes.slice(0, 50).map((change) => {
    const entry = item(""), button = document.createElement("button");
    button.textContent = `stroke ${change.stroke + 1}: ${change.summary} instead of ${data.strokes[change.stroke].summary}`;
    button.onclick = () => show(change.stroke);
    entry.append(button);
    return entry;
  }));
  if (changes.length > 50) $("changes").append(item(`and ${changes.length - 50} more`));
  showDecisions(); redraw(); announce(true);
}

// MARK: Input

function zoom(level) {
  $("zoom").value = level;
  state.zoom = 2 ** Number($("zoom").value);
  redraw();
}

const keys = {
  " ": () => (state.isPlaying ? pause() : play()),
  ArrowLeft: (event) => step(event.shiftKey ? -10 : -1), ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
  Home: () => step(-Infinity), End: () => step(Infinity),
  n: () => show(state.stroke + 1), p: () => show(state.stroke - 1),
  "+": () => zoom(Number($("zoom").value) + 1), "-": () => zoom(Number($("zoom").value) - 1),
  f: () => $("fit").click(), s: () => $("setting").focus(),
};

function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target, isOwn = target.matches("select, #values, #zoom") || (target.matches("button, summary, #fit") && event.key === " ");
    const action = keys[event.key];
    if (!action || isOwn) return;
    event.preventDefault();
    action(event);
  });
  $("play").onclick = () => (state.isPlaying ? pause() : play());
  $("back").onclick = () => step(-1);
  $("forth").onclick = () => step(1);
  $("previous").onclick = () => show(state.stroke - 1);
  $("next").onclick = () => show(state.stroke + 1);
  $("stroke").onchange = (event) => show(Number(event.target.value));
  $("time").oninput = (event) => { pause(); goTo(shown.times[Number(event.target.value)]); };
  $("zoom").oninput = (event) => zoom(Number(event.target.value));
  $("fit").onchange = redraw;
  $("setting").onchange = (event) => { state.row = Number(event.target.value); state.value = data.grid[state.row].base; showSetting(); };
  $("values").oninput = (event) => { state.value = Number(event.target.value); showSetting(); };
  const canvas = $("chart");
  canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); pause(); goTo(chart().time(event.offsetX)); };
  canvas.onpointermove = (event) => {
    const time = chart().time(event.offsetX);
    if (event.buttons) goTo(time);
    const rows = evidenceAt(time).map((row) => row.join(" "));
    $("tip").textContent = `${ms(Math.max(0, time))} ms${rows.length ? ": " + rows.join(", ") : ""}`;
  };
  $("pad").onpointermove = (event) => { $("tip").textContent = nearest(event.offsetX, event.offsetY) || "\u00a0"; };
  window.addEventListener("resize", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours = {}; redraw(); });
}

// The point of a path under the pointer.
function nearest(x, y) {
  let [best, words] = [20 * 20, ""];
  shown.contacts.forEach((contact, index) => {
    for (let i = 0; i < contact.px.length; i += 1) {
      const [px, py] = padPlace(contact.px[i], contact.py[i]), far = (px - x) ** 2 + (py - y) ** 2;
      if (far >= best) continue;
      best = far;
      const time = shown.times[contact.first + i], back = Math.max(0, i - 3), spent = time - shown.times[contact.first + back];
      const speed = spent > 0 ? Math.hypot(contact.px[i] - contact.px[back], contact.py[i] - contact.py[back]) / spent * 1e6 : 0;
      words = `finger ${index + 1} at ${ms(time)} ms: ${contact.px[i].toFixed(2)}, ${contact.py[i].toFixed(2)} mm, ${speed.toFixed(0)} mm/s`;
    }
  });
  return words;
}

function option(value, words) { const option = document.createElement("option"); option.value = value; option.textContent = words; return option; }

function start() {
  $("title").textContent = data.name;
  if (data.strokes.length === 0) { document.querySelector("main").textContent = "No finger touched."; return; }
  $("stroke").append(...data.strokes.map((stroke, i) => option(i, `stroke ${i + 1} of ${data.strokes.length}: ${stroke.summary}`)));
  if (data.grid.length) {
    const count = (row) => new Set(row.changes.map((change) => change.stroke)).size;
    const rows = data.grid.map((row, i) => [row, i]).sort((a, b) => count(b[0]) - count(a[0]) || a[1] - b[1]);
    $("setting").append(...rows.map(([row, i]) => option(i, row.name + (count(row) ? ` (changes ${count(row)} strokes)`.replace("1 strokes", "1 stroke") : ""))));
    state.row = rows[0][1];
    state.value = data.grid[state.row].base;
  } else $("panel").hidden = true;
  listen();
  show(data.first);
  showSetting();
}

start();
