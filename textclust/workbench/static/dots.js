// The dots of the map: grey ones first, then those that are lit, in one colour for each cluster.

import { Disc, Raster, pixelColour } from "./raster.js";

const MANY = 50_000; // above this a sample is drawn while the map moves
const CHUNK = 25_000; // drawn in one frame when it rests

/** Rows in a stable random order, so that the first of them are a fair sample. */
function shuffled(n) {
  const order = Int32Array.from({ length: n }, (_, i) => i);
  let seed = 7;
  for (let i = n - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const j = seed % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

export const radiusOf = (n, zoom) => {
  const base = n < 500 ? 4.5 : n < 3000 ? 3.2 : n < 30_000 ? 2.2 : 1.5;
  return Math.min(9, base * zoom ** 0.4);
};

export class Dots {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d", { alpha: false });
    this.job = 0;
  }

  /** Draw a scene; `moving` says that another one follows soon. */
  draw(scene, moving) {
    cancelAnimationFrame(this.job);
    const n = scene.x.length;
    const look = this.prepare(scene);
    if (n > MANY && this.order?.length !== n) this.order = shuffled(n);
    if (n > MANY && !moving) {
      this.complete(scene, look, n);
      return;
    }
    const order = n > MANY ? this.order : null;
    const raster = this.blank(scene);
    paint(raster, scene, look, order, 0, Math.min(n, MANY), false);
    paint(raster, scene, look, order, 0, Math.min(n, MANY), true);
    this.pen.putImageData(raster.image, 0, 0);
  }

  /** All dots, a chunk in each frame, shown when they are complete. */
  complete(scene, look, n) {
    const raster = new Raster(this.canvas.width, this.canvas.height, scene.paper);
    let at = 0;
    const step = () => {
      const lit = at >= n;
      const from = lit ? at - n : at;
      const to = Math.min(n, from + CHUNK);
      paint(raster, scene, look, this.order, from, to, lit);
      at = lit ? n + to : to;
      if (at < 2 * n) this.job = requestAnimationFrame(step);
      else this.pen.putImageData(raster.image, 0, 0);
    };
    this.job = requestAnimationFrame(step);
  }

  /** An empty raster of the canvas' size, the same one as long as the size stays. */
  blank(scene) {
    const { width, height } = this.canvas;
    const { image } = this.raster ?? { image: {} };
    if (image.width === width && image.height === height) this.raster.clear(scene.paper);
    else this.raster = new Raster(width, height, scene.paper);
    return this.raster;
  }

  prepare(scene) {
    const colours = [];
    for (const { number } of scene.clusters) colours[number] = pixelColour(scene.colourOf(number));
    const radius = scene.radius * scene.ratio;
    const size = radius.toFixed(2);
    if (this.size !== size) {
      this.discs = { disc: new Disc(radius), rim: new Disc(radius + scene.ratio) };
      this.size = size;
    }
    return { ...this.discs, colours, grey: pixelColour(scene.grey), ink: pixelColour(scene.ink) };
  }
}

/** Rows from one to another in an order: those that are lit, or those that are grey. */
function paint(raster, scene, look, order, from, to, lit) {
  const { x, y, labels, lights, matched, ratio } = scene;
  const { ax, bx, ay, by } = scene.transform;
  const wanted = lit ? 1 : 0;
  for (let at = from; at < to; at++) {
    const i = order ? order[at] : at;
    if (lights[i] !== wanted || labels[i] === 0) continue;
    const px = (ax * x[i] + bx) * ratio;
    const py = (ay * y[i] + by) * ratio;
    if (matched?.has(i)) raster.stamp(look.rim, px, py, look.ink);
    raster.stamp(look.disc, px, py, lit ? (look.colours[labels[i]] ?? look.ink) : look.grey);
  }
}
