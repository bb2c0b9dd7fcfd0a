"use strict";
// Buttons for several rows say how many rows are selected.
for (const button of document.querySelectorAll("button[data-chosen]")) {
  const { chosen, one, many } = button.dataset;
  const count = () => {
    const number = button.form.querySelectorAll(`[name="${chosen}"]:checked`).length;
    button.querySelector("span").textContent = number === 1 ? one : many.replace("{count}", number);
  };
  button.form.addEventListener("change", count);
  addEventListener("pageshow", count); // after the browser has restored what was chosen
  count();
}
