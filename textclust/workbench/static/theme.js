// Light and dark: as the system has it, until the person chooses.

import { store } from "./store.js";

const KEY = "textclust-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Colours of the canvas; those of the page are in style.css. */
const CANVAS = {
  light: { paper: "#ffffff", ink: "#1f2328", soft: "#5b626b", grey: "#d9d6cf", bad: "#b3261e" },
  dark: { paper: "#1c2026", ink: "#e7e5e0", soft: "#a4abb4", grey: "#3d434c", bad: "#ff9d94" },
};

export const canvasColours = () => CANVAS[store.get("theme")];

export const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export function startTheme() {
  const settle = () => {
    const chosen = localStorage.getItem(KEY);
    const theme = chosen || (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    store.set({ theme });
  };
  system.addEventListener("change", settle);
  settle();
}

export function toggleTheme() {
  const theme = store.get("theme") === "dark" ? "light" : "dark";
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
  store.set({ theme });
}

export function colourOf(cluster) {
  const palette = store.get("collection")[store.get("theme")];
  return cluster ? palette[cluster.colour % palette.length] : canvasColours().soft;
}

function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever reads better on a colour. */
export const lettersOn = (colour) => {
  const light = luminance(colour);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? "#ffffff" : "#000000";
};

export const translucent = (colour, opacity) =>
  colour +
  Math.round(255 * opacity)
    .toString(16)
    .padStart(2, "0");
