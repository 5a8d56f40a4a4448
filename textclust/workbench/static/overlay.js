// What lies above the dots: names, seeds, links, flows of a preview, the lasso.

const FONT = '"Segoe UI", Roboto, "Noto Sans", "Liberation Sans", system-ui, sans-serif';
const TERMS_FROM = 2.2; // zoom at which terms appear below a name
const TITLES_FROM = 5; // zoom at which documents show their titles
const MOST_TITLES = 60;
const NAME = [72, 11]; // half the width and height of a name's box, about

const shortened = (text, most) => {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
};

/** Places that are taken, so that no two lines of text overlap. */
class Taken {
  constructor() {
    this.boxes = [];
  }

  free(box) {
    return this.boxes.every(
      (b) => box.x1 < b.x0 || box.x0 > b.x1 || box.y1 < b.y0 || box.y0 > b.y1,
    );
  }

  take(box) {
    this.boxes.push(box);
  }
}

export function drawOverlay(pen, scene) {
  const { ratio, width, height } = scene;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  drawLinks(pen, scene);
  drawSeeds(pen, scene);
  drawOpen(pen, scene);
  drawFlows(pen, scene);
  const taken = new Taken();
  drawNames(pen, scene, taken);
  if (scene.zoom >= TITLES_FROM) drawTitles(pen, scene, taken);
  drawLasso(pen, scene);
}

function drawLinks(pen, scene) {
  pen.lineWidth = 1.25;
  for (const { left, right, kind, kept } of scene.links) {
    if (!scene.labels[left] || !scene.labels[right]) continue;
    pen.strokeStyle = kept ? scene.soft : scene.bad;
    pen.setLineDash(kind === "must-link" ? [] : [4, 4]);
    pen.beginPath();
    pen.moveTo(...scene.at(left));
    pen.lineTo(...scene.at(right));
    pen.stroke();
  }
  pen.setLineDash([]);
}

function ring(pen, [x, y], radius, width, colour) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.lineWidth = width;
  pen.strokeStyle = colour;
  pen.stroke();
}

function drawSeeds(pen, scene) {
  for (const row of scene.seeds) {
    if (scene.labels[row]) ring(pen, scene.at(row), scene.radius + 2.5, 1.75, scene.ink);
  }
}

function drawOpen(pen, scene) {
  for (const row of [scene.open, scene.hovered]) {
    if (row === null || row < 0 || !scene.labels[row]) continue;
    ring(pen, scene.at(row), scene.radius + 6, 4.5, scene.paper);
    ring(pen, scene.at(row), scene.radius + 6, 2, scene.ink);
  }
}

function drawFlows(pen, scene) {
  const most = Math.max(1, ...scene.flows.map((flow) => flow.count));
  for (const { from, to, count } of scene.flows) {
    const a = scene.centre(from);
    const b = scene.centre(to);
    if (a && b) drawArrow(pen, a, b, 1.2 + 5.5 * Math.sqrt(count / most), scene);
  }
}

/** How far from the middle of a name its box ends, in a direction. */
const clearance = (dx, dy) =>
  3 + Math.min(NAME[0] / Math.abs(dx || 1e-9), NAME[1] / Math.abs(dy || 1e-9));

function beside([x, y], mx, my) {
  const far = Math.hypot(mx - x, my - y) || 1;
  const [dx, dy] = [(mx - x) / far, (my - y) / far];
  const off = Math.min(clearance(dx, dy), 0.6 * far);
  return [x + off * dx, y + off * dy];
}

function drawArrow(pen, from, to, width, scene) {
  const bend = 0.14;
  const mx = (from[0] + to[0]) / 2 + (to[1] - from[1]) * bend;
  const my = (from[1] + to[1]) / 2 - (to[0] - from[0]) * bend;
  const [ax, ay] = beside(from, mx, my);
  const [bx, by] = beside(to, mx, my);
  const angle = Math.atan2(by - my, bx - mx);
  const head = 6 + 1.4 * width;
  const tail = [bx - head * Math.cos(angle), by - head * Math.sin(angle)];
  const wing = (turn) => [bx - head * Math.cos(angle + turn), by - head * Math.sin(angle + turn)];
  for (const [colour, wider] of [
    [scene.paper, 3],
    [scene.ink, 0],
  ]) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width + wider;
    pen.beginPath();
    pen.moveTo(ax, ay);
    pen.quadraticCurveTo(mx, my, ...tail);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(bx, by);
    pen.lineTo(...wing(0.5));
    pen.lineTo(...wing(-0.5));
    pen.closePath();
    pen.fill();
  }
}

function write(pen, text, x, y, colour, paper) {
  pen.lineWidth = 3.5;
  pen.lineJoin = "round";
  pen.strokeStyle = paper;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

/** A line of text on a plate that keeps the dots away. */
function label(pen, text, x, y, half, colour, paper) {
  pen.globalAlpha = 0.75;
  pen.fillStyle = paper;
  pen.fillRect(x - half, y - 9, 2 * half, 18);
  pen.globalAlpha = 1;
  write(pen, text, x, y, colour, paper);
}

function drawNames(pen, scene, taken) {
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const bySize = [...scene.clusters].filter((c) => c.size).sort((a, b) => b.size - a.size);
  for (const cluster of bySize) {
    const [x, y] = scene.centre(cluster.number);
    if (x < 0 || y < 0 || x > scene.width || y > scene.height) continue;
    pen.font = `600 13px ${FONT}`;
    const name = shortened(`${cluster.number}  ${cluster.name}`, 34);
    const half = pen.measureText(name).width / 2 + 4;
    const place = Math.min(scene.width - half, Math.max(half, x));
    const down = freeHeight(taken, place, y, half);
    const colour = scene.dim(cluster) ? scene.soft : scene.ink;
    label(pen, name, place, down, half, colour, scene.paper);
    if (scene.zoom >= TERMS_FROM) drawTerms(pen, scene, taken, cluster, place, down + 18);
  }
}

/** The terms that the name does not say already. */
function drawTerms(pen, scene, taken, cluster, x, y) {
  const terms = cluster.terms.filter((term) => !cluster.name.includes(term));
  if (!terms.length) return;
  pen.font = `12px ${FONT}`;
  const text = shortened(terms.join(", "), 48);
  const half = pen.measureText(text).width / 2 + 4;
  label(pen, text, x, y, half, scene.ink, scene.paper);
  taken.take({ x0: x - half, x1: x + half, y0: y - 9, y1: y + 9 });
}

/** The free height for a name that is nearest to its place. */
function freeHeight(taken, x, y, half) {
  const boxAt = (top) => ({ x0: x - half, x1: x + half, y0: top - 9, y1: top + 9 });
  let down = y;
  for (let tries = 1; tries < 24 && !taken.free(boxAt(down)); tries++) {
    down = y + 9 * Math.ceil(tries / 2) * (tries % 2 ? 1 : -1);
  }
  taken.take(boxAt(down));
  return down;
}

function drawTitles(pen, scene, taken) {
  pen.font = `12px ${FONT}`;
  pen.textAlign = "left";
  let written = 0;
  for (const row of scene.near()) {
    if (written >= MOST_TITLES) break;
    const [x, y] = scene.at(row);
    if (x < 0 || y < 0 || x > scene.width || y > scene.height) continue;
    const title = shortened(scene.titleOf(row), 30);
    const left = x + scene.radius + 4;
    const box = { x0: left, x1: left + pen.measureText(title).width, y0: y - 8, y1: y + 8 };
    if (!taken.free(box)) continue;
    taken.take(box);
    write(pen, title, left, y, scene.lights[row] ? scene.ink : scene.soft, scene.paper);
    written++;
  }
}

function drawLasso(pen, scene) {
  if (scene.lasso.length < 2) return;
  pen.beginPath();
  scene.lasso.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.setLineDash([5, 4]);
  pen.lineWidth = 1.75;
  pen.strokeStyle = scene.ink;
  pen.stroke();
  pen.setLineDash([]);
}
