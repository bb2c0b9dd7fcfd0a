"use strict";
// The names of a submission or of a batch: players are suggested while a name is typed, Enter searches, and choices stay on this
// device until the server has them. The page works without this.
(() => {
  const form = document.getElementById("people");
  if (!form) return;
  const texts = form.dataset, HOUR = 3600 * 1000, KEY = `draft/${texts.draft}`;
  const LIFETIME = "shared" in texts ? 12 * HOUR : 30 * 24 * HOUR;
  const makeChoice = (name, value, text) => {
    const label = document.createElement("label");
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name, value });
    label.append(radio, ` ${text}`);
    return label;
  };
  let asked = 0;
  const suggest = async (input) => {
    const text = input.value.trim();
    if (text.length < 2) return;
    const mine = ++asked;
    const query = `&q=${encodeURIComponent(text)}&country=${encodeURIComponent(input.dataset.country)}`;
    const answer = await fetch(form.dataset.players + query).catch(() => null);
    if (!answer) return void document.dispatchEvent(new Event("disconnected"));
    if (!answer.ok || mine !== asked) return;
    const { suggestions } = await answer.json();
    const name = input.name.replace(/q$/, "other");
    const found = input.closest(".other").querySelector(".found");
    found.replaceChildren(...suggestions.map((player) => makeChoice(name, player.public_id, player.described)));
  };
  let waiting;
  form.addEventListener("input", (event) => {
    if (!/^row-\d+-q$/.test(event.target.name)) return;
    clearTimeout(waiting);
    waiting = setTimeout(suggest, 150, event.target);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !/^row-\d+-q$/.test(event.target.name)) return;
    event.preventDefault();
    form.requestSubmit(event.target.closest(".other").querySelector("[name=find]"));
  });

  // choices that the server has not saved: kept by account and page, as the entries of a crosstable are
  if (!texts.draft) return;
  const read = () => { try { return JSON.parse(localStorage.getItem(KEY))?.values ?? {}; } catch { return {}; } };
  const write = (values) => {
    try {
      if (Object.keys(values).length) localStorage.setItem(KEY, JSON.stringify({ values, expires: Date.now() + LIFETIME }));
      else localStorage.removeItem(KEY);
    } catch { /* storage is full or switched off: the page itself still holds the choices */ }
  };
  const notice = Object.assign(document.createElement("p"), { className: "message info", hidden: true });
  notice.setAttribute("role", "status");
  form.before(notice);
  const writtenIn = (row) => row?.querySelector(".written")?.textContent.trim();
  const radios = (name) => [...form.querySelectorAll(`input[type=radio][name="${name}"]`)];
  const count = () => {
    const choices = Object.keys(read()).filter((name) => name.endsWith("-choice") && radios(name).length).length;
    notice.hidden = !choices;
    notice.textContent = choices === 1 ? texts.one : texts.many.replace("{count}", choices);
  };
  const restore = () => {
    const values = read();
    for (const [name, { value, text, written }] of Object.entries(values)) {
      const [row] = /^row-\d+/.exec(name);
      // somebody else has changed the rows meanwhile: a choice belongs to the name that was there
      const present = document.getElementById(row);
      if (present && writtenIn(present) !== written) {
        delete values[name];
        continue;
      }
      let radio = radios(name).find((each) => each.value === value);
      const found = document.getElementById(row.replace("row", "other"))?.querySelector(".found");
      if (!radio && name.endsWith("-other") && found) {
        found.append(makeChoice(name, value, text));
        radio = radios(name).find((each) => each.value === value);
      }
      const isSettled = !radio && document.getElementById(row); // the row is there, with nothing left to choose
      if ((radio?.defaultChecked || isSettled) && !("unsaved" in texts)) delete values[name]; // the server has it
      else if (radio) radio.checked = true;
    }
    for (const name of Object.keys(values)) {
      if (name.endsWith("-other") && values[name.replace(/other$/, "choice")]?.value !== "other") delete values[name];
    }
    write(values);
    count();
  };
  form.addEventListener("change", ({ target }) => {
    if (target.type !== "radio" || !/^row-\d+-(choice|other)$/.test(target.name)) return;
    const values = read();
    const text = target.closest("label").textContent.trim(), written = writtenIn(target.closest("[id^=row-]"));
    values[target.name] = { value: target.value, text, written };
    write(values);
    count();
  });
  restore();
})();
