// Points in the cells of a grid, to find those near a place or inside a line.

export class Grid {
  constructor(x, y, labels) {
    const n = x.length;
    this.x = x;
    this.y = y;
    this.side = Math.max(1, Math.min(512, Math.ceil(Math.sqrt(n / 2))));
    const cells = this.side * this.side;
    const cellOf = new Int32Array(n);
    this.start = new Int32Array(cells + 1);
    for (let i = 0; i < n; i++) {
      cellOf[i] = labels[i] ? this.column(y[i]) * this.side + this.column(x[i]) : -1;
      if (cellOf[i] >= 0) this.start[cellOf[i] + 1]++;
    }
    for (let c = 0; c < cells; c++) this.start[c + 1] += this.start[c];
    const next = this.start.slice();
    this.items = new Int32Array(this.start[cells]);
    for (let i = 0; i < n; i++) if (cellOf[i] >= 0) this.items[next[cellOf[i]]++] = i;
  }

  column(value) {
    return Math.min(this.side - 1, Math.max(0, Math.floor(value * this.side)));
  }

  *within(x0, y0, x1, y1) {
    for (let row = this.column(y0); row <= this.column(y1); row++) {
      for (let col = this.column(x0); col <= this.column(x1); col++) {
        const cell = row * this.side + col;
        for (let at = this.start[cell]; at < this.start[cell + 1]; at++) yield this.items[at];
      }
    }
  }

  /** The point nearest to a place of the screen, at most `reach` pixels away; -1 for none. */
  nearest(view, px, py, reach) {
    const [x0, y0] = view.toPlace(px - reach, py - reach);
    const [x1, y1] = view.toPlace(px + reach, py + reach);
    const { ax, bx, ay, by } = view.transform;
    let best = -1;
    let least = reach * reach;
    for (const i of this.within(x0, y0, x1, y1)) {
      const far = (ax * this.x[i] + bx - px) ** 2 + (ay * this.y[i] + by - py) ** 2;
      if (far <= least) [best, least] = [i, far];
    }
    return best;
  }

  /** The points inside a closed line of [x, y] places. */
  inside(line) {
    if (line.length < 3) return [];
    const xs = line.map(([x]) => x);
    const ys = line.map(([, y]) => y);
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    return [...this.within(...box)].filter((i) => encloses(line, this.x[i], this.y[i]));
  }
}

function encloses(line, x, y) {
  let inside = false;
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const [xi, yi] = line[i];
    const [xj, yj] = line[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}
