"use strict";
// Entering results on a touch screen: digits come from the numeric keyboard, signs from buttons that stay in view, since
// + and - need the keyboard of symbols there. One more button brings the letters, for handicaps.
(() => {
  const form = document.getElementById("sheet");
  const signs = form && form.querySelector(".signs");
  if (!signs || !matchMedia("(pointer: coarse)").matches) return;
  form.querySelector("table.sheet").closest(".scroll").after(signs); // from there it sticks to the foot of the screen
  let cell = null;
  form.querySelectorAll("input.result").forEach((input) => { input.inputMode = "numeric"; });
  form.addEventListener("focusin", (event) => {
    if (signs.contains(event.target)) return;
    cell = event.target.matches("input.result") ? event.target : null;
    signs.hidden = !cell;
  });
  signs.addEventListener("pointerdown", (event) => event.preventDefault()); // the cell keeps the focus and the keyboard
  signs.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !cell) return;
    if (button.value) {
      cell.setRangeText(button.value, cell.selectionStart, cell.selectionEnd, "end");
      ["input", "change"].forEach((kind) => cell.dispatchEvent(new Event(kind, { bubbles: true })));
    } else {
      cell.inputMode = "text";
      cell.blur();
    }
    cell.focus();
  });
})();
