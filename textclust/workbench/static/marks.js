// Small things that stand for a cluster: its swatch, its name.

import { el, foreign } from "./dom.js";
import { clusterOf } from "./store.js";
import { colourOf, lettersOn } from "./theme.js";

export function swatch(cluster) {
  const made = el("span", { class: "swatch" }, cluster ? String(cluster.number) : "–");
  if (!cluster) return made;
  const colour = colourOf(cluster);
  made.style.backgroundColor = colour;
  made.style.color = lettersOn(colour);
  return made;
}

export const nameOf = (number) => {
  if (number === 0) return "Discarded";
  return clusterOf(number)?.name ?? `cluster ${number}`;
};

export const clusterMark = (number) =>
  el("span", { class: "cluster-mark" }, swatch(clusterOf(number)), " ", foreign(nameOf(number)));
