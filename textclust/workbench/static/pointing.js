// The mouse, the finger and the keys on the map.

import { $, documents } from "./dom.js";
import { enclosed, hitTest, moved, pointer, redraw, view } from "./map.js";
import { moveTo } from "./saying.js";
import { openRow, selectRows, toggleRow } from "./selection.js";
import { say } from "./status.js";
import { store, titleOf } from "./store.js";

const STILL = 4; // pixels a click may move
const STEP = 60; // pixels an arrow key pans
let press = null; // { how: pan | lasso | carry, x, y, far }
const touches = new Map();

export function startPointing() {
  const map = $("map");
  map.addEventListener("pointerdown", down);
  map.addEventListener("pointermove", move);
  map.addEventListener("pointerup", up);
  map.addEventListener("pointercancel", cancel);
  map.addEventListener("pointerleave", () => hover(-1));
  map.addEventListener("wheel", wheel, { passive: false });
  map.addEventListener("keydown", keys);
  store.on(["lasso"], () => map.classList.toggle("lassoing", store.get("lasso")));
}

const place = (event) => {
  const box = $("map").getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

function down(event) {
  if (event.button !== 0) return;
  const [x, y] = place(event);
  touches.set(event.pointerId, [x, y]);
  hover(-1);
  $("map").setPointerCapture(event.pointerId);
  const hit = hitTest(x, y);
  const selected = store.get("selected");
  let how = "pan";
  if (event.shiftKey || store.get("lasso")) how = "lasso";
  else if (hit >= 0 && selected.has(hit)) how = "carry";
  press = {
    how,
    x,
    y,
    startX: x,
    startY: y,
    far: false,
    add: event.shiftKey && store.get("lasso"),
  };
  if (how === "lasso") pointer.lasso = [[x, y]];
}

function move(event) {
  const [x, y] = place(event);
  if (!press) {
    hover(hitTest(x, y));
    return;
  }
  if (touches.size === 2 && touches.has(event.pointerId)) {
    pinch(event, x, y);
    return;
  }
  if (Math.hypot(x - press.startX, y - press.startY) > STILL) press.far = true;
  if (press.how === "lasso") {
    pointer.lasso.push([x, y]);
    redraw({ overlay: true });
  } else if (press.far && press.how === "pan") {
    view.pan(x - press.x, y - press.y);
    moved();
  } else if (press.far) {
    carry(event);
  }
  [press.x, press.y] = [x, y];
}

function pinch(event, x, y) {
  const [other] = [...touches].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
  const [oldX, oldY] = touches.get(event.pointerId);
  touches.set(event.pointerId, [x, y]);
  const before = Math.hypot(oldX - other[0], oldY - other[1]);
  const after = Math.hypot(x - other[0], y - other[1]);
  view.zoomAt(after / Math.max(1, before), (x + other[0]) / 2, (y + other[1]) / 2);
  press.far = true;
  moved();
}

function up(event) {
  touches.delete(event.pointerId);
  if (!press || touches.size) return;
  const { how, far, startX, startY, add } = press;
  if (how === "lasso" && far) {
    const rows = enclosed(pointer.lasso);
    selectRows(rows, { add, listed: true });
    say(`${documents(rows.length)} in the lasso.`);
    store.set({ lasso: false });
  } else if (how === "carry" && far) {
    drop(event);
  } else if (!far) {
    click(hitTest(startX, startY), event);
  }
  cancel();
}

function click(row, event) {
  if (row < 0) return;
  if (event.shiftKey || event.ctrlKey || event.metaKey) toggleRow(row);
  else openRow(row);
}

function cancel() {
  press = null;
  touches.clear();
  pointer.lasso = [];
  $("carried").hidden = true;
  markTarget(null);
  redraw({ overlay: true });
}

export function cancelLasso() {
  if (!store.get("lasso") && !pointer.lasso.length) return false;
  store.set({ lasso: false });
  cancel();
  return true;
}

/** Carrying the selection to a cluster of the list. */
function carry(event) {
  const carried = $("carried");
  carried.hidden = false;
  carried.textContent = `${documents(store.get("selected").size)}: drop on a cluster`;
  carried.style.left = `${event.clientX + 12}px`;
  carried.style.top = `${event.clientY + 12}px`;
  markTarget(targetAt(event));
}

const targetAt = (event) =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cluster]") ?? null;

function markTarget(target) {
  for (const marked of document.querySelectorAll(".target")) marked.classList.remove("target");
  target?.classList.add("target");
}

function drop(event) {
  const target = targetAt(event);
  if (target) moveTo(Number(target.dataset.cluster));
  else say("Nothing was moved: drop the documents on a cluster of the list.");
}

function wheel(event) {
  event.preventDefault();
  hover(-1);
  view.zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...place(event));
  moved();
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const pans = {
    ArrowLeft: [STEP, 0],
    ArrowRight: [-STEP, 0],
    ArrowUp: [0, STEP],
    ArrowDown: [0, -STEP],
  };
  if (!pans[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  view.pan(...pans[event.key]);
  moved();
}

function hover(row) {
  if (row === pointer.hovered) return;
  pointer.hovered = row;
  const tip = $("tip");
  tip.hidden = row < 0;
  if (row >= 0) {
    const { x, y } = store.get("state");
    const [left, top] = view.toScreen(x[row], y[row]);
    tip.textContent = titleOf(row);
    tip.style.left = `${Math.max(0, Math.min(left + 12, view.width - 230))}px`;
    tip.style.top = `${Math.min(top + 12, view.height - 50)}px`;
  }
  redraw({ overlay: true });
}
