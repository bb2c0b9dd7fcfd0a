"use strict";
// Links for helpers: times in the zone of this browser, copying and printing. The pages work without this.
(() => {
  const pad = (number) => String(number).padStart(2, "0");
  const writeDay = (at) => `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  const write = (at, isShort) => {
    const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
    return isShort && writeDay(at) === writeDay(new Date()) ? time : `${writeDay(at)} ${time}`;
  };
  const show = () => {
    for (const time of document.querySelectorAll("time[data-local]")) {
      time.textContent = write(new Date(time.dateTime), time.dataset.local === "short");
    }
    for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = !navigator.clipboard;
    for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
  };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const input of document.querySelectorAll("[data-zone]")) input.value = timeZone;
  for (const name of document.querySelectorAll("[data-zone-name]")) name.textContent = timeZone;
  document.addEventListener("click", async ({ target }) => {
    if (target.closest("[data-print]")) print();
    const { copy, copied } = target.closest("button[data-copy]")?.dataset ?? {};
    if (!copy) return;
    await navigator.clipboard.writeText(copy);
    target.textContent = copied;
  });
  document.addEventListener("refreshed", show);
  show();
})();
