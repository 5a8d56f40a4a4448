// Buttons and keys, made of the table of commands.

import { commands, enabled } from "./commands.js";
import { $, count, el, icon } from "./dom.js";
import { toDialog, typing } from "./dialog.js";
import { lettersOff } from "./letters.js";
import { complain } from "./status.js";
import { store } from "./store.js";

export function startControls() {
  for (const button of document.querySelectorAll("button[data-command]")) build(button);
  document.addEventListener("keydown", onKey);
  store.on(
    ["state", "selected", "picks", "order", "busy", "lasso", "open", "tab", "theme", "matches"],
    schedule,
  );
  update();
}

const commandOf = (id) => commands.find((command) => command.id === id);

/** Icon, words, what only a screen reader says, the key. */
function build(button) {
  const command = commandOf(button.dataset.command);
  const { short } = command;
  button.type = "button";
  if ($(`icon-${command.id}`)) button.append(icon(command.id));
  if (short) button.append(el("span", { class: "short" }, short));
  button.append(el("span", { class: "hidden-label" }, short ? "" : command.title));
  if (command.badge) button.append(el("span", { class: "badge", "aria-hidden": "true" }));
  if (command.pressed) button.setAttribute("aria-pressed", "false");
  if (command.key) {
    const keys = [command.key, ...(command.keys ?? [])].join(" ");
    button.append(el("kbd", { "aria-hidden": "true" }, command.label ?? command.key));
    button.setAttribute(
      "aria-keyshortcuts",
      keys.replaceAll("Ctrl", "Control").replaceAll("Esc", "Escape"),
    );
  }
  button.addEventListener("click", () => run(command));
}

export function run(command) {
  if (enabled(command)) command.run();
  else if (command.need) complain(command.need);
}

let due = false;

function schedule() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    update();
  });
}

function update() {
  if (!store.get("state")) return;
  for (const button of document.querySelectorAll("button[data-command]")) {
    const command = commandOf(button.dataset.command);
    const detail = command.detail?.();
    button.title = detail ? `${command.title}: ${detail}` : command.title;
    if (command.detail) button.querySelector(".hidden-label").textContent = button.title;
    if (command.badge) showBadge(button, command.badge());
    if (enabled(command)) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
    if (command.pressed) button.setAttribute("aria-pressed", String(command.pressed()));
  }
}

function showBadge(button, pending) {
  button.querySelector(".badge").textContent = pending > 999 ? "999+" : String(pending);
  button.querySelector(".hidden-label").textContent = `, ${count(pending, "pending statement")}`;
}

function nameOf(event) {
  const named = event.key === "Escape" ? "Esc" : event.key;
  const letter = named.length === 1;
  if (event.ctrlKey || event.metaKey) {
    return `Ctrl+${event.shiftKey ? "Shift+" : ""}${letter ? named.toUpperCase() : named}`;
  }
  return letter && !event.shiftKey ? named.toLowerCase() : named;
}

/** Arrow keys that a tab list or a panel that scrolls wants for itself. */
const scrolls = (key, target) =>
  (key.startsWith("Arrow") && target.closest("[role=tablist]")) ||
  (["ArrowUp", "ArrowDown"].includes(key) && target.closest(".panel, input"));

function onKey(event) {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  if (toDialog(event)) return;
  const key = nameOf(event);
  if (typing(event.target)) {
    if (key === "Esc") event.target.blur();
    return;
  }
  if (key.length === 1 && lettersOff()) return;
  if (scrolls(key, event.target)) return;
  const command = commands.find((c) => !c.shared && (c.key === key || c.keys?.includes(key)));
  if (!command) return;
  event.preventDefault();
  if (!event.repeat || command.group === "Look") run(command); // a key held down says it once
}
