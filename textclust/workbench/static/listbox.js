// A listbox in which one option has the tab stop and the arrow keys move it.

/**
 * `key` is the data attribute that names an option; `moved(name, event)` is called when the arrow
 * keys have brought the focus to one, `chosen(name, event)` for Enter, Space and clicks.
 */
export class Listbox {
  constructor(box, key, { moved = () => {}, chosen, atEnd = () => {} }) {
    Object.assign(this, { box, key, moved, chosen, atEnd });
    this.current = null;
    box.addEventListener("keydown", (event) => this.onKey(event));
    box.addEventListener("click", (event) => this.onClick(event));
    box.addEventListener("focusin", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.setStop(option);
    });
  }

  get options() {
    const all = [...this.box.querySelectorAll("[role=option]")];
    return all.filter((option) => !option.closest("[hidden]"));
  }

  optionOf(name) {
    return this.box.querySelector(`[data-${this.key}="${name}"]`);
  }

  nameOf(option) {
    return Number(option.dataset[this.key]);
  }

  setStop(option) {
    this.box.querySelector('[role=option][tabindex="0"]')?.setAttribute("tabindex", "-1");
    option.setAttribute("tabindex", "0");
    this.current = this.nameOf(option);
  }

  /**
   * Put new options in; the tab stop and the focus stay with the option of the same name. One that
   * says the same stays itself, so that a click on it that has begun is not lost.
   */
  fill(options) {
    const focused = this.box.contains(document.activeElement);
    const top = this.box.scrollTop;
    const before = this.options;
    const known = new Map(before.map((option) => [this.nameOf(option), option]));
    const kept = options.map((made) => this.same(known.get(this.nameOf(made)), made));
    const unchanged = kept.length === before.length && kept.every((o, i) => o === before[i]);
    if (!unchanged) this.box.replaceChildren(...kept);
    this.box.scrollTop = top;
    const stop = this.optionOf(this.current) ?? this.options[0];
    if (!stop) return;
    this.setStop(stop);
    if (focused) stop.focus({ preventScroll: true });
  }

  /** The option that is there if it says the same as the one that was made. */
  same(there, made) {
    const parts = there ? [...there.childNodes] : [];
    const equal =
      parts.length === made.childNodes.length &&
      parts.every((part, i) => part.isEqualNode(made.childNodes[i]));
    if (!there || !equal) return made;
    for (const { name, value } of made.attributes) {
      if (name !== "tabindex") there.setAttribute(name, value);
    }
    return there;
  }

  focus(name = this.current) {
    const option = this.optionOf(name) ?? this.options[0];
    option?.focus();
    option?.scrollIntoView({ block: "nearest" });
  }

  onClick(event) {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    this.setStop(option);
    option.focus({ preventScroll: true });
    this.chosen(this.nameOf(option), event);
  }

  onKey(event) {
    const option = event.target.closest("[role=option]");
    if (!option || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.chosen(this.nameOf(option), event);
      return;
    }
    const options = this.options;
    const at = options.indexOf(option);
    const goal = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: options.length - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    }[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = options[Math.max(0, Math.min(options.length - 1, goal))];
    if (goal >= options.length - 1) this.atEnd();
    next.focus();
    this.moved(this.nameOf(next), event);
  }
}
