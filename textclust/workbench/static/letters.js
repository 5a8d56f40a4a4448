// Keys of a single character can be turned off, for those who speak to the page.

const KEY = "textclust-letters";

export const lettersOff = () => localStorage.getItem(KEY) === "off";

export const setLetters = (on) => localStorage.setItem(KEY, on ? "on" : "off");
