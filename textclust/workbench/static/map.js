// The map: what is drawn when, from the shared state.

import { $, count, documents } from "./dom.js";
import { Dots, radiusOf } from "./dots.js";
import { Grid } from "./grid.js";
import { drawOverlay } from "./overlay.js";
import { clusterOf, store, titleOf } from "./store.js";
import { canvasColours, colourOf, stillness } from "./theme.js";
import { View } from "./view.js";

const GLIDE = 300; // milliseconds from the old places to the new
const REST = 160; // after this long without a movement all dots are drawn

export const view = new View();
export const pointer = { hovered: -1, lasso: [] };

let dots, above, grid, lights;
let places = null; // what is shown: x and y of every row
let queued = 0;
let stale = { dots: false, moving: false };
let resting = 0;

export function startMap() {
  dots = new Dots($("map"));
  above = $("map-above").getContext("2d");
  new ResizeObserver(resize).observe($("map-frame"));
  store.on(["state"], changed);
  store.on(["selected", "matches"], () => {
    light();
    redraw();
  });
  store.on(["theme"], () => redraw());
  store.on(["preview", "open"], () => redraw({ overlay: true }));
}

export const hitTest = (px, py, reach = 10) => (grid ? grid.nearest(view, px, py, reach) : -1);

export const enclosed = (line) => grid.inside(line.map(([px, py]) => view.toPlace(px, py)));

/** Draw again in the next frame: everything, or only what lies above the dots. */
export function redraw({ overlay = false, moving = false } = {}) {
  if (!overlay) stale = { dots: true, moving };
  if (!queued) queued = requestAnimationFrame(frame);
}

/** Draw while the view moves, and again in full when it rests. */
export function moved() {
  redraw({ moving: true });
  clearTimeout(resting);
  resting = setTimeout(redraw, REST);
}

export function zoomBy(factor) {
  view.zoomAt(factor);
  moved();
}

export function showWhole() {
  view.reset();
  moved();
}

function resize() {
  const { clientWidth, clientHeight } = $("map-frame");
  const ratio = window.devicePixelRatio || 1;
  view.resize(clientWidth, clientHeight);
  view.keepInside();
  for (const canvas of [$("map"), $("map-above")]) {
    canvas.width = Math.max(1, Math.round(clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(clientHeight * ratio));
  }
  if (store.get("state")) frame();
}

function changed() {
  const { x, y, labels } = store.get("state");
  grid = new Grid(x, y, labels);
  light();
  describe();
  const before = places;
  const same = before && x.length === before.x.length && x.every((v, i) => v === before.x[i]);
  if (!before || same || stillness.matches || x.length > 50_000) {
    places = { x, y };
    redraw();
  } else {
    glide(before, { x, y });
  }
}

function glide(from, to) {
  const began = performance.now();
  const step = (now) => {
    if (store.get("state").x !== to.x) return; // something newer is shown
    const part = Math.min(1, Math.max(0, (now - began) / GLIDE));
    const eased = part * part * (3 - 2 * part);
    const between = (a, b) => b.map((v, i) => a[i] + (v - a[i]) * eased);
    places = part < 1 ? { x: between(from.x, to.x), y: between(from.y, to.y) } : to;
    redraw();
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** What is not selected, or not found, turns grey. */
function light() {
  const state = store.get("state");
  if (!state) return;
  const { labels } = state;
  const chosen = store.get("selected").size ? store.get("selected") : store.get("matches");
  lights = new Uint8Array(labels.length).fill(chosen ? 0 : 1);
  let visible = false;
  for (const row of chosen ?? []) {
    lights[row] = 1;
    visible ||= labels[row] !== 0;
  }
  if (!visible && !store.get("matches")) lights.fill(1); // only discarded documents are selected
}

function describe() {
  const { clusters, discarded } = store.get("state");
  const sizes = clusters.map((c) => `${c.number} ${c.name}, ${documents(c.size)}`).join("; ");
  const gone = discarded.length ? `; ${documents(discarded.length)} discarded` : "";
  $("map").setAttribute(
    "aria-label",
    `Map of ${count(clusters.length, "cluster")}: ${sizes}${gone}. ` +
      "Arrow keys pan, plus and minus zoom, 0 shows the whole map; documents are chosen in the list.",
  );
}

function frame() {
  queued = 0;
  const scene = makeScene();
  if (!scene) return;
  if (stale.dots || scene.resized) dots.draw(scene, stale.moving);
  stale = { dots: false, moving: false };
  drawOverlay(above, scene);
}

let drawnSize = "";

function makeScene() {
  const state = store.get("state");
  if (!state || !places) return null;
  const size = `${$("map").width}x${$("map").height}`;
  const resized = size !== drawnSize;
  drawnSize = size;
  const transform = view.transform;
  const screen = (x, y) => [transform.ax * x + transform.bx, transform.ay * y + transform.by];
  return {
    ...canvasColours(),
    ...places,
    resized,
    transform,
    lights,
    zoom: view.zoom,
    width: view.width,
    height: view.height,
    ratio: window.devicePixelRatio || 1,
    radius: radiusOf(state.labels.length, view.zoom),
    labels: state.labels,
    clusters: state.clusters,
    links: state.links,
    seeds: state.seeds,
    matched: store.get("matches"),
    open: store.get("open"),
    hovered: pointer.hovered,
    lasso: pointer.lasso,
    flows: store.get("preview")?.flows ?? [],
    colourOf: (label) => colourOf(clusterOf(label)),
    at: (row) => screen(places.x[row], places.y[row]),
    centre: (label) => {
      const cluster = clusterOf(label);
      return cluster && screen(cluster.x, cluster.y);
    },
    dim: (cluster) => store.get("picks").size > 0 && !store.get("picks").has(cluster.number),
    near: () => grid.within(...view.toPlace(0, 0), ...view.toPlace(view.width, view.height)),
    titleOf,
  };
}
