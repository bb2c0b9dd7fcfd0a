"use strict";
// Files dropped anywhere on the page are sent at once, as are chosen ones. Without this, a button sends them.
(() => {
  const zone = document.querySelector("[data-dropzone]");
  if (!zone) return;
  const input = zone.querySelector("input[type=file]");
  document.documentElement.classList.add("scripted");
  const holdsFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  input.addEventListener("change", () => input.files.length && zone.requestSubmit());
  document.addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || zone.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    input.files = event.dataTransfer.files;
    if (input.files.length) zone.requestSubmit();
  });
})();
