// Modal dialogs: a title, a body, buttons at the foot; focus returns when they close.

import { $, button, el } from "./dom.js";

const shown = []; // dialogs, the topmost last: { dialog, onKey }

/** Hand a key that was pressed outside of the open dialog to it; false if none is open. */
export function toDialog(event) {
  const last = shown.findLast(({ dialog }) => dialog.open);
  last?.onKey(event);
  return last !== undefined;
}

/**
 * Open a dialog. `fill(body, foot, close)` puts content in it; `keys` maps a key to what it does
 * while no field has the focus. The answer is what `close` is given, or null.
 */
export function openDialog({ id, title, wide = false, fill, keys = {} }) {
  const before = document.activeElement;
  const heading = el("h2", { id: `${id}-title` }, title);
  const body = el("div", { class: "dialog-body" });
  const foot = el("div", { class: "dialog-foot" });
  const dialog = el("dialog", { id, class: wide ? "wide" : "", "aria-labelledby": `${id}-title` });
  return new Promise((resolve) => {
    let answer = null;
    const close = (value = null) => {
      answer = value;
      dialog.close();
    };
    const shut = button("Close", () => close());
    shut.append(el("kbd", {}, "Esc"));
    dialog.append(el("div", { class: "dialog-head" }, heading, shut), body, foot);
    const onKey = (event) => {
      const run = keys[event.key] ?? keys[event.key.toLowerCase()];
      if (!run || typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" && event.target.closest("button:not([role=tab])")) return;
      event.preventDefault();
      run();
    };
    shown.push({ dialog, onKey });
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation();
      onKey(event);
    });
    dialog.addEventListener("close", () => {
      shown.splice(
        shown.findIndex((one) => one.dialog === dialog),
        1,
      );
      dialog.remove();
      const back = before?.isConnected && before !== document.body ? before : $("map");
      back.focus({ preventScroll: true });
      resolve(answer);
    });
    document.body.append(dialog);
    fill(body, foot, close);
    const first = body.querySelector("[autofocus]") ?? body.querySelector("input:checked, input");
    dialog.showModal();
    (first ?? shut).focus();
    if (typing(first)) first.select?.();
  });
}

export const typing = (target) =>
  target instanceof Element &&
  (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

/** A dialog with one line of text; null if it was closed. */
export function openForm({ title, field, value = "", accept, needed = false }) {
  return openDialog({
    id: "form",
    title,
    fill(body, foot, close) {
      const input = el("input", {
        id: "form-field",
        value,
        autofocus: true,
        maxlength: 200,
        autocomplete: "off",
        dir: "auto",
        required: needed,
      });
      const form = el(
        "form",
        { id: "form-form" },
        el("label", { for: "form-field" }, field),
        input,
      );
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (!needed || input.value.trim()) close(input.value.trim());
      });
      body.append(form);
      foot.append(
        el(
          "button",
          { type: "submit", form: "form-form", class: "main" },
          accept,
          el("kbd", {}, "Enter"),
        ),
      );
    },
  });
}
