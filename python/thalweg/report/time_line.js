// The time line: a row for each thread. What is narrower than a pixel is joined to what fills most of that pixel, so
// that a million spans are drawn as a few thousand bars.
"use strict";
(() => {
  const figure = document.getElementById("time-line");
  const data = JSON.parse(document.getElementById("time-line-data").textContent);
  const canvas = figure.querySelector("canvas");
  const tip = figure.querySelector(".tip");
  const range = figure.querySelector(".range");
  const pen = canvas.getContext("2d");
  const ROW = 24, INSET = 4, AXIS = 22, GUTTER = 230;

  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  const tracks = data.tracks.map((track) => ({
    label: track.label,
    start: new Float64Array(bytesOf(track.start)),
    length: new Float32Array(bytesOf(track.length)),
    kind: new Uint8Array(bytesOf(track.kind)),
    spans: new Uint32Array(bytesOf(track.spans)),
    collection: new Uint8Array(bytesOf(track.collection)),
    first: new Int32Array(bytesOf(track.first)), // record
    last: new Int32Array(bytesOf(track.last)),
    levels: track.levels, // where each level begins and ends
  }));
  const shown = data.names.map(() => true);
  const end = Math.max(data.end_s, 1e-6);
  const view = {from: 0, to: end, top: 0};
  let width = 0, height = 0, waits = false;

  const time = (value) => {
    const size = Math.abs(value);
    if (!size) return "0 s";
    if (size >= 1) return value.toFixed(size < 100 ? 3 : 1) + " s";
    return size >= 1e-3 ? (value * 1e3).toFixed(3) + " ms" : (value * 1e6).toFixed(3) + " µs";
  };
  // A moment of the run, with the digits that tell it from others so far away.
  const moment = (value, apart) => value.toFixed(Math.min(Math.max(Math.ceil(-Math.log10(apart)), 0), 9)) + " s";
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const perSecond = () => (width - GUTTER) / (view.to - view.from);

  // The first span of a level that ends behind this time.
  function firstBehind(track, first, last, at) {
    while (first < last) {
      const middle = (first + last) >> 1;
      if (track.start[middle] + track.length[middle] > at) last = middle;
      else first = middle + 1;
    }
    return first;
  }

  function drawLevel(track, first, last, y, size) {
    const scale = perSecond();
    const sums = new Float64Array(data.names.length);
    let pixel = -1, best = -1, filled = 0;
    const flush = () => {
      if (best >= 0) {
        pen.globalAlpha = Math.min(0.25 + 0.75 * filled, 1); // a pixel that is mostly empty is pale
        pen.fillStyle = data.colours[best];
        pen.fillRect(GUTTER + pixel, y, 1, size);
        pen.globalAlpha = 1;
      }
      filled = 0;
      sums.fill(0);
      best = -1;
    };
    for (let k = firstBehind(track, first, last, view.from); k < last; k++) {
      const left = (track.start[k] - view.from) * scale;
      if (left > width - GUTTER) break;
      const kind = track.kind[k];
      if (!shown[kind]) continue;
      const wide = track.length[k] * scale;
      if (wide >= 1) {
        flush();
        pixel = -1;
        const begin = Math.max(left, 0);
        pen.fillStyle = data.colours[kind];
        pen.fillRect(GUTTER + begin, y, Math.max(Math.min(left + wide, width - GUTTER) - begin, 1), size);
        continue;
      }
      const at = Math.max(Math.floor(left), 0);
      if (at !== pixel) {
        flush();
        pixel = at;
      }
      filled += wide;
      sums[kind] += wide + 1e-9;
      if (best < 0 || sums[kind] > sums[best]) best = kind;
    }
    flush();
  }

  function drawAxis() {
    pen.fillStyle = colour("--paper");
    pen.fillRect(0, 0, width, AXIS);
    pen.fillStyle = pen.strokeStyle = colour("--quiet");
    const wanted = (view.to - view.from) / Math.max((width - GUTTER) / 110, 1);
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= wanted);
    for (let k = Math.ceil(view.from / step); k * step <= view.to; k++) {
      const x = GUTTER + (k * step - view.from) * perSecond();
      pen.fillRect(x, AXIS - 5, 1, 5);
      pen.fillText(moment(k * step, step), x + 3, AXIS - 8);
    }
  }

  function draw() {
    waits = false;
    const began = performance.now();
    const sharp = window.devicePixelRatio || 1;
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = colour("--paper");
    pen.fillRect(0, 0, width, height);
    const first = Math.floor(view.top / ROW);
    const last = Math.min(tracks.length, first + Math.ceil((height - AXIS) / ROW) + 1);
    for (let row = first; row < last; row++) {
      const y = AXIS + row * ROW - view.top, track = tracks[row];
      if (row % 2) {
        pen.fillStyle = colour("--band");
        pen.fillRect(0, y, width, ROW);
      }
      track.levels.forEach(([begin, finish], level) =>
        drawLevel(track, begin, finish, y + 2 + INSET * level, Math.max(ROW - 4 - INSET * level, 3)));
      pen.fillStyle = row % 2 ? colour("--band") : colour("--paper");
      pen.fillRect(0, y, GUTTER - 4, ROW);
      pen.fillStyle = colour("--ink");
      pen.fillText(track.label, 4, y + ROW - 8, GUTTER - 10);
    }
    drawAxis();
    const length = view.to - view.from;
    range.textContent = `${moment(view.from, length / 1e3)} to ${moment(view.to, length / 1e3)}: ${time(length)}`;
    figure.dataset.drawnMs = (performance.now() - began).toFixed(1);
  }

  function redraw() {
    if (!waits) requestAnimationFrame(draw);
    waits = true;
  }

  function look(from, to) {
    const length = Math.min(Math.max(to - from, 1e-7), end);
    view.from = Math.min(Math.max(from, 0), end - length);
    view.to = view.from + length;
    redraw();
  }

  function scroll(top) {
    view.top = Math.min(Math.max(top, 0), Math.max(tracks.length * ROW - (height - AXIS), 0));
    redraw();
  }

  function zoom(factor, x = (width + GUTTER) / 2) {
    const at = view.from + (Math.max(x, GUTTER) - GUTTER) / perSecond();
    look(at - (at - view.from) * factor, at + (view.to - at) * factor);
  }

  // The innermost span at a place.
  function spanAt(x, y) {
    const track = tracks[Math.floor((y - AXIS + view.top) / ROW)];
    if (!track || x < GUTTER || y < AXIS) return null;
    const near = 1 / perSecond(), at = view.from + (x - GUTTER) * near;
    for (let level = track.levels.length - 1; level >= 0; level--) {
      const [first, last] = track.levels[level];
      for (let k = firstBehind(track, first, last, at - near); k < last && track.start[k] <= at + near; k++)
        if (shown[track.kind[k]]) return {track, k};
    }
    return null;
  }

  // " of history, records 3 to 5"
  function subject(track, k) {
    const collection = data.collections[track.collection[k] - 1];
    if (!collection) return "";
    const first = track.first[k], last = track.last[k];
    if (first < 0) return ` of ${collection}`;
    return ` of ${collection}, ` + (last > first ? `records ${first} to ${last}` : `record ${first}`);
  }

  function hover(event) {
    const found = spanAt(event.offsetX, event.offsetY);
    tip.hidden = !found;
    if (!found) return;
    const {track, k} = found, many = track.spans[k];
    tip.textContent = `${data.names[track.kind[k]]}${subject(track, k)}, ${time(track.length[k])}` +
      (many > 1 ? ` in ${many} spans` : "") + ` — ${track.label}, from ${moment(track.start[k], 1e-6)}`;
    tip.style.left = Math.min(event.offsetX + 14, Math.max(width - tip.offsetWidth - 4, 0)) + "px";
    tip.style.top = event.offsetY + 18 + "px";
  }

  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = {x: event.offsetX, y: event.offsetY, from: view.from, to: view.to, top: view.top};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => (held = null));
  canvas.addEventListener("pointercancel", () => (held = null));
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return hover(event);
    const shift = (held.x - event.offsetX) / perSecond();
    look(held.from + shift, held.to + shift);
    scroll(held.top + held.y - event.offsetY);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey) return scroll(view.top + event.deltaY + event.deltaX);
    zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 400))), event.offsetX);
  }, {passive: false});
  canvas.addEventListener("dblclick", () => look(0, end));
  canvas.addEventListener("keydown", (event) => {
    const step = (view.to - view.from) / 5;
    const does = {
      ArrowLeft: () => look(view.from - step, view.to - step), ArrowRight: () => look(view.from + step, view.to + step),
      ArrowUp: () => scroll(view.top - ROW), ArrowDown: () => scroll(view.top + ROW),
      "+": () => zoom(0.6), "-": () => zoom(1 / 0.6), 0: () => look(0, end),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
  figure.querySelectorAll("input").forEach((box) => box.addEventListener("change", () => {
    shown[Number(box.value)] = box.checked;
    redraw();
  }));
  canvas.style.height = Math.min(AXIS + tracks.length * ROW + 4, 640) + "px";
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", draw);
  new ResizeObserver(redraw).observe(canvas);
  draw();
})();
