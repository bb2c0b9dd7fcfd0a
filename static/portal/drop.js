"use strict";
// Files dropped anywhere on the page are sent at once, as are chosen ones. They are kept on this device, by name, until
// the server has them: without a connection they are sent later, once. Without this script a button sends them.
(() => {
  const zone = document.querySelector("[data-dropzone]");
  if (!zone) return;
  const input = zone.querySelector("input[type=file]"), list = zone.querySelector("[data-kept-files]");
  const texts = zone.dataset, PAUSE = 10000, HOUR = 3600 * 1000;
  const LIFETIME = "shared" in texts ? 12 * HOUR : 30 * 24 * HOUR;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const { put, remove } = storedFiles, read = () => storedFiles.read(texts.owner);

  const show = async () => {
    const make = (name, values) => Object.assign(document.createElement(name), values);
    list.replaceChildren(...(await read()).map((drop) => {
      const item = make("li"), isSent = "address" in drop;
      const button = make("button", { type: "button", className: "quiet small", textContent: isSent ? texts.hide : texts.remove });
      button.addEventListener("click", async () => { await remove(drop.token); show(); });
      if (isSent) item.append(`${fill(texts.sent, { names: drop.names })} `, make("a", { href: drop.address, textContent: texts.look }), " ", button);
      else {
        const why = drop.isRefused ? texts.refused : state.isSignedOut ? texts.signedOut : texts.kept;
        item.append(make("b", { textContent: drop.names }), ` – ${why} `, button);
      }
      return item;
    }));
    list.hidden = !list.childElementCount;
  };

  // sending: one drop after the other, by one window at a time; the server knows a drop by its token
  const state = { isSignedOut: false };
  class Away extends Error {} // no connection, or a server that does not answer now
  const post = async (drop, csrf) => {
    const body = new FormData();
    body.append("token", drop.token);
    if (drop.button) body.append(drop.button, "1");
    for (const file of drop.files) body.append(input.name, file, file.name);
    try {
      return await fetch(drop.action, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": csrf } });
    } catch {
      throw new Away();
    }
  };
  const findToken = (page) => page.querySelector("[data-dropzone] [name=csrfmiddlewaretoken]")?.value ?? "";
  const renew = async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => { throw new Away(); });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("[data-dropzone]")?.dataset.owner === texts.owner ? findToken(page) : "";
  };
  const send = async (drop) => {
    let answer = await post(drop, findToken(document));
    if (answer.status === 403) {
      const csrf = await renew();
      if (csrf) answer = await post(drop, csrf);
    }
    if (answer.status >= 500 || answer.status === 429) throw new Away();
    state.isSignedOut = answer.redirected || [401, 403].includes(answer.status);
    if (state.isSignedOut) return "";
    if (answer.status === 201) return (await answer.json()).address;
    await put({ ...drop, isRefused: true });
    return "";
  };
  let timer;
  const work = async (fresh) => {
    clearTimeout(timer);
    try {
      for (const drop of (await read()).filter((one) => one.files && !one.isRefused)) {
        const address = await send(drop);
        if (state.isSignedOut) break;
        if (address && drop.token === fresh) {
          await remove(drop.token);
          return void location.assign(address);
        }
        if (address) { // told until it was seen; the files are not needed any more
          const { token, owner, names, at } = drop;
          await put({ token, owner, names, at, address, expires: Date.now() + 12 * HOUR });
        } else if (drop.token === fresh) { // the page of the server says what is wrong
          await remove(drop.token);
          return void HTMLFormElement.prototype.submit.call(zone);
        }
      }
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      document.dispatchEvent(new Event("disconnected"));
      timer = setTimeout(workAlone, PAUSE);
    }
    zone.classList.remove("over");
    input.value = "";
    await show();
  };
  const workAlone = (fresh) => (navigator.locks ? navigator.locks.request("files", () => work(fresh)) : work(fresh));

  const start = () => { // a copy of the page is loaded again first, when there is a connection
    if (!("kept" in document.documentElement.dataset)) workAlone();
  };

  zone.addEventListener("submit", async (event) => {
    if (!input.files.length || !window.indexedDB || !texts.owner) return;
    event.preventDefault();
    const token = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const button = zone.querySelector("input[type=hidden][value='1']")?.name, at = Date.now();
    try {
      // the bytes are stored, not the files: those may be gone when they are sent
      const files = await Promise.all([...input.files].map(async (file) => new File([await file.arrayBuffer()], file.name, { type: file.type })));
      const names = files.map((file) => file.name).join(", ");
      await put({ token, owner: texts.owner, action: zone.action, button, files, names, at, expires: at + LIFETIME });
    } catch {
      return void HTMLFormElement.prototype.submit.call(zone); // this browser stores nothing
    }
    workAlone(token);
  });
  if (window.indexedDB && texts.owner) {
    read().then((drops) => drops.length && show().then(start)).catch(() => {});
    addEventListener("online", start);
    document.addEventListener("connected", start);
  }

  const [visit] = performance.getEntriesByType("navigation");
  if (!input.files.length) document.documentElement.classList.add("scripted"); // the button stays hidden
  else if (visit?.type === "navigate") zone.requestSubmit(); // chosen before this ran, not restored by the browser
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
