// The status line: one fixed place for what happened and for what went wrong.

import { $ } from "./dom.js";

export function say(text) {
  $("error").textContent = "";
  $("status").textContent = text;
}

export function complain(error) {
  $("status").textContent = "";
  $("error").textContent = typeof error === "string" ? error : error.message;
}
