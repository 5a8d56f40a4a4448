// Where a place of the map (0 to 1) lies on the screen, at any zoom.

const MARGIN = 30;
const ABOVE = 50; // the buttons of the map are there
const DEEPEST = 60;

export class View {
  constructor() {
    this.width = this.height = 1;
    this.reset();
  }

  reset() {
    this.zoom = 1;
    this.left = this.top = 0;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
  }

  /** Screen = scale * place + shift, for both axes. */
  get transform() {
    return {
      ax: (this.width - 2 * MARGIN) * this.zoom,
      bx: MARGIN * this.zoom + this.left,
      ay: (this.height - MARGIN - ABOVE) * this.zoom,
      by: ABOVE * this.zoom + this.top,
    };
  }

  toScreen(x, y) {
    const { ax, bx, ay, by } = this.transform;
    return [ax * x + bx, ay * y + by];
  }

  toPlace(px, py) {
    const { ax, bx, ay, by } = this.transform;
    return [(px - bx) / ax, (py - by) / ay];
  }

  zoomAt(factor, px = this.width / 2, py = this.height / 2) {
    const next = Math.min(DEEPEST, Math.max(1, this.zoom * factor));
    const ratio = next / this.zoom;
    this.left = px - ratio * (px - this.left);
    this.top = py - ratio * (py - this.top);
    this.zoom = next;
    if (next === 1) this.reset();
    this.keepInside();
  }

  pan(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.keepInside();
  }

  keepInside() {
    const within = (at, size) => Math.min(size / 2, Math.max(size / 2 - size * this.zoom, at));
    this.left = within(this.left, this.width);
    this.top = within(this.top, this.height);
  }
}
