// Elements. Text enters the page as text nodes alone, never as markup.

export const $ = (id) => document.getElementById(id);

export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Text of unknown origin, kept apart from the direction of what surrounds it. */
export const foreign = (text, attributes = {}) => el("bdi", attributes, text);

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

export const button = (label, onclick, attributes = {}) =>
  el("button", { type: "button", onclick, ...attributes }, ...[label].flat());

export const kbd = (key) => el("kbd", {}, key);

export const number = (n) => n.toLocaleString("en-GB");

export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

export const documents = (n) => count(n, "document");

export function debounced(wait, run) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), wait);
  };
}
