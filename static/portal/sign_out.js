"use strict";
// Signing out removes the pages that this browser keeps for reading without a connection, then signs out.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!("signsOut" in form.dataset) || !window.caches) return;
  event.preventDefault();
  try {
    const names = (await caches.keys()).filter((name) => name.startsWith("organise-"));
    await Promise.all(names.map((name) => caches.delete(name)));
  } finally {
    HTMLFormElement.prototype.submit.call(form);
  }
});
