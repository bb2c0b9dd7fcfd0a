"use strict";
// Signing out removes the pages that this browser keeps for reading without a connection. Where dropped files were not
// sent, the page for signing out first asks whether to send, keep or delete them.
(() => {
  const { owner } = document.currentScript.dataset;
  const readUnsent = async () => {
    try { return (await storedFiles.read(owner)).filter((drop) => drop.files); } catch { return []; } // no store, no files
  };
  const removePages = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("organise-"));
    await Promise.all(names.map((name) => caches.delete(name)));
  };
  document.addEventListener("submit", async (event) => {
    const form = event.target, choice = event.submitter?.dataset.unsent;
    if (!("signsOut" in form.dataset)) return;
    event.preventDefault();
    const unsent = await readUnsent();
    if (unsent.length && !choice) return void location.assign(form.action);
    try {
      if (choice === "delete") await Promise.all(unsent.map((drop) => storedFiles.remove(drop.token)));
      if (window.caches) await removePages();
    } finally {
      HTMLFormElement.prototype.submit.call(form);
    }
  });

  const asked = document.querySelector("[data-asks-unsent]");
  if (!asked) return;
  readUnsent().then((unsent) => {
    if (!unsent.length) return;
    asked.querySelector("[data-names]").textContent = unsent.map((drop) => drop.names).join(", ");
    asked.hidden = false;
    document.querySelector("[data-plain]").hidden = true;
  });
})();
