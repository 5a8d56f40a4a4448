// The dots of the map: grey ones first, then those that are lit, in one colour for each cluster.

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

function sprite(colour, radius, ratio, outline) {
  const side = Math.ceil(2 * (radius + 2) * ratio);
  const canvas = new OffscreenCanvas(side, side);
  const pen = canvas.getContext("2d");
  pen.beginPath();
  pen.arc(side / 2, side / 2, radius * ratio, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = outline.colour;
  pen.lineWidth = outline.width * ratio;
  if (outline.width) pen.stroke();
  return canvas;
}

export class Dots {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.job = 0;
  }

  /** Draw a scene; `moving` says that another one follows soon. */
  draw(scene, moving) {
    cancelAnimationFrame(this.job);
    const n = scene.x.length;
    this.sprites = new Map();
    if (n <= MANY) {
      this.clear(this.pen);
      this.paint(this.pen, scene, null, 0, n, false);
      this.paint(this.pen, scene, null, 0, n, true);
      return;
    }
    if (this.order?.length !== n) this.order = shuffled(n);
    if (moving) {
      this.clear(this.pen);
      this.paint(this.pen, scene, this.order, 0, MANY, false);
      this.paint(this.pen, scene, this.order, 0, MANY, true);
    } else {
      this.complete(scene, n);
    }
  }

  /** All dots, a chunk in each frame, shown when they are complete. */
  complete(scene, n) {
    const behind = new OffscreenCanvas(this.canvas.width, this.canvas.height);
    const pen = behind.getContext("2d");
    let at = 0;
    const step = () => {
      const lit = at >= n;
      const from = lit ? at - n : at;
      const to = Math.min(n, from + CHUNK);
      this.paint(pen, scene, this.order, from, to, lit);
      at = lit ? n + to : to;
      if (at < 2 * n) {
        this.job = requestAnimationFrame(step);
        return;
      }
      this.clear(this.pen);
      this.pen.drawImage(behind, 0, 0);
    };
    this.job = requestAnimationFrame(step);
  }

  clear(pen) {
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  spriteOf(scene, label, lit, matched) {
    const key = (lit ? label + 1 : 0) * 2 + (matched ? 1 : 0);
    let made = this.sprites.get(key);
    if (!made) {
      const outline = { colour: scene.ink, width: matched ? 1 : 0 };
      made = sprite(lit ? scene.colourOf(label) : scene.grey, scene.radius, scene.ratio, outline);
      this.sprites.set(key, made);
    }
    return made;
  }

  paint(pen, scene, order, from, to, lit) {
    const { x, y, labels, lights, matched, ratio } = scene;
    const { ax, bx, ay, by } = scene.transform;
    const half = Math.ceil(2 * (scene.radius + 2) * ratio) / 2;
    const right = this.canvas.width + half;
    const bottom = this.canvas.height + half;
    const wanted = lit ? 1 : 0;
    for (let at = from; at < to; at++) {
      const i = order ? order[at] : at;
      if (lights[i] !== wanted || labels[i] === 0) continue;
      const px = (ax * x[i] + bx) * ratio;
      const py = (ay * y[i] + by) * ratio;
      if (px < -half || py < -half || px > right || py > bottom) continue;
      pen.drawImage(this.spriteOf(scene, labels[i], lit, matched?.has(i)), px - half, py - half);
    }
  }
}
