"use strict";
// Desks without a connection: the last page of this person is shown with its time, and what needs the server waits.
(() => {
  const line = document.getElementById("connection");
  if (!line) return;
  const texts = line.dataset, root = document.documentElement, PAUSE = 5000;
  const isCopy = "kept" in root.dataset;
  const isStored = performance.getEntriesByType("navigation")[0]?.workerStart > 0; // the worker has loaded this page
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  let since = null, timer;

  const needsServer = (form) => !("worksOffline" in form.dataset || "signsOut" in form.dataset);
  const show = () => {
    const isOff = since !== null;
    line.hidden = !isOff;
    const first = isCopy ? fill(texts.copy, texts) : isOff ? fill(texts.offline, { time: since.toTimeString().slice(0, 5) }) : "";
    line.querySelector("span").replaceChildren(Object.assign(document.createElement("b"), { textContent: first }), ` ${texts.needs}`);
    for (const button of document.querySelectorAll("button")) {
      if (!button.form || button.type !== "submit" || !needsServer(button.form)) continue;
      if (isOff && !button.hasAttribute("aria-disabled")) {
        button.dataset.waits = "";
        button.setAttribute("aria-disabled", "true");
        button.setAttribute("aria-describedby", line.id);
      } else if (!isOff && "waits" in button.dataset) {
        delete button.dataset.waits;
        button.removeAttribute("aria-disabled");
        button.removeAttribute("aria-describedby");
      }
    }
  };
  document.addEventListener("submit", (event) => {
    if (since === null || !needsServer(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    line.scrollIntoView({ block: "center" });
  }, true);

  const ask = async () => {
    clearTimeout(timer);
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.status >= 500 || answer.status === 429) throw new Error(answer.status);
      if (isCopy) return void location.reload();
      since = null;
      document.dispatchEvent(new Event("connected"));
    } catch {
      since ??= new Date();
      timer = setTimeout(ask, PAUSE);
    }
    show();
  };
  const lose = () => {
    since ??= new Date();
    show();
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  };
  addEventListener("offline", lose);
  addEventListener("online", ask);
  document.addEventListener("disconnected", lose); // another script of the page got no answer
  if (isCopy || !navigator.onLine) lose();

  // the service worker stores this page, unless the session ends with the browser, and what it needs
  const store = async () => {
    if (!navigator.serviceWorker || !texts.worker || isCopy) return;
    await navigator.serviceWorker.register(texts.worker);
    const { active } = await navigator.serviceWorker.ready;
    navigator.serviceWorker.addEventListener("message", () => { line.dataset.stored = "1"; });
    const files = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => name.startsWith(location.origin));
    active.postMessage([...(isStored ? [] : [location.href.split("#")[0]]), ...files]);
  };
  store().catch(() => {});
})();
