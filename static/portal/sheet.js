"use strict";
// Entering a crosstable: opponents' cells and points are filled in, arrow keys move, entries that the server has not
// saved stay on this device, names are looked up. The server checks everything again; the page works without this.
(() => {
  const form = document.getElementById("sheet");
  if (!form || !form.querySelector("button[name=check]")) return;
  const TOKEN = /^(\d+)\s*([-−+=])(.*)$/;
  const OTHER = { "+": "-", "-": "+", "−": "+", "=": "=" };
  const POINTS = { "+": 1, "-": 0, "−": 0, "=": 0.5 };
  const cell = (row, round) => document.getElementById(`id_row-${row}-round-${round}`);
  const place = (input) => (/^row-(\d+)-round-(\d+)$/.exec(input.name) || []).slice(1).map(Number);

  const mirroredRest = (rest) =>
    rest.replace(/\(([-−+])/, (_, side) => `(${OTHER[side]}`).replace(/\/([bw])/i, (_, colour) => (colour.toLowerCase() === "b" ? "/w" : "/b"));

  const mirror = (input) => {
    const [row, round] = place(input);
    const token = TOKEN.exec(input.value.trim());
    if (!token || token[1] === "0") return;
    const there = cell(token[1], round);
    if (there && there !== input && (!there.value.trim() || there.dataset.filled === String(row))) {
      there.value = `${row}${OTHER[token[2]]}${mirroredRest(token[3])}`;
      there.dataset.filled = row;
      keep(there);
      total(there.closest("tr"));
    }
  };

  const number = (text) => (/^\s*(\d+)\s*\/\s*2\s*$/.test(text) ? parseInt(text, 10) / 2 : parseFloat(text.replace(",", ".")) || 0);
  const total = (line) => {
    const start = line.querySelector("input[name$=macmahon]");
    let points = number(start ? start.value : "");
    line.querySelectorAll("input.result").forEach((input) => {
      const token = TOKEN.exec(input.value.trim());
      if (token) points += POINTS[token[2]];
    });
    line.querySelector("td.points").textContent = points;
  };
  form.querySelectorAll("table.sheet tbody tr:not(.comments)").forEach(total);

  const move = (input, event) => {
    const [row, round] = place(input);
    const ends = { ArrowLeft: input.selectionStart === 0, ArrowRight: input.selectionEnd === input.value.length };
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (!step || ends[event.key] === false) return;
    const next = cell(row + step[0], round + step[1]);
    if (event.key === "Enter") event.preventDefault();
    if (next) {
      event.preventDefault();
      next.focus();
      next.select();
    }
  };
  const down = (input, event) => {
    const [, row, name] = /^row-(\d+)-(\w+)$/.exec(input.name) || [];
    if (event.key !== "Enter" || !row) return;
    event.preventDefault();
    form.querySelector(`[name="row-${Number(row) + 1}-${name}"]`)?.focus();
  };
  form.addEventListener("keydown", (event) => {
    if (event.target.classList.contains("result")) move(event.target, event);
    else if (event.target.closest("table.sheet") && event.target.tagName === "INPUT") down(event.target, event);
  });

  // Entries that the server has not saved yet stay on this device, by account, event and submission. They are removed
  // when the server shows the same entries, when a person discards them, or when they expire.
  const PREFIX = "draft/";
  const HOUR = 3600 * 1000;
  const key = PREFIX + form.dataset.draft;
  const LIFETIME = "shared" in form.dataset ? 12 * HOUR : 30 * 24 * HOUR;
  const NOT_KEPT = new Set(["csrfmiddlewaretoken", "version", "waiting", "rows", "rounds"]);
  const version = form.querySelector("input[name=version]").value;
  const fields = () => [...form.elements].filter((field) => field.name && !NOT_KEPT.has(field.name) && /^(INPUT|SELECT|TEXTAREA)$/.test(field.tagName));
  const read = (name) => {
    try {
      return JSON.parse(localStorage.getItem(name) || "null");
    } catch {
      return null;
    }
  };
  const remove = (name) => {
    try {
      localStorage.removeItem(name);
    } catch {
      /* storage is switched off: nothing is there */
    }
  };
  const expire = () => {
    try {
      Object.keys(localStorage)
        .filter((name) => name.startsWith(PREFIX) && !((read(name) || {}).expires > Date.now()))
        .forEach(remove);
    } catch {
      /* storage is switched off */
    }
  };
  const keep = (field) => {
    if (!field.name || NOT_KEPT.has(field.name)) return;
    const draft = read(key) || { version, values: {} };
    draft.values[field.name] = field.value;
    Object.assign(draft, { saved: Date.now(), expires: Date.now() + LIFETIME });
    try {
      localStorage.setItem(key, JSON.stringify(draft));
    } catch {
      /* storage is full or switched off: the page itself still holds the entries */
    }
  };
  const notice = (text, ...buttons) => {
    const box = document.createElement("p");
    box.className = "message draft";
    box.setAttribute("role", "status");
    box.append(text, " ");
    buttons.forEach(([label, act]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.textContent = label;
      button.addEventListener("click", () => {
        act();
        box.remove();
      });
      box.append(button, " ");
    });
    (form.closest(".draft-page") || form).before(box);
    return box;
  };
  const put = (values) => {
    fields().forEach((field) => {
      const value = values[field.name];
      if (value === undefined) return;
      if (field.tagName === "SELECT" && ![...field.options].some((option) => option.value === value)) field.append(new Option(value, value));
      field.value = value;
    });
    form.querySelectorAll("table.sheet tbody tr:not(.comments)").forEach(total);
  };
  // the format of times on the site's pages, with the letters of Django's date filter
  const writeTime = (at) => {
    const pad = (number) => String(number).padStart(2, "0");
    const month = at.getMonth(), name = form.dataset.months.split("|")[month];
    const parts = { j: at.getDate(), d: pad(at.getDate()), n: month + 1, m: pad(month + 1), M: name, N: name, Y: at.getFullYear(), H: pad(at.getHours()), i: pad(at.getMinutes()) };
    return form.dataset.time.replace(/[jdnmMNYHi]/g, (letter) => parts[letter]);
  };
  const restore = () => {
    const draft = read(key);
    if (!draft) return;
    // fields that a button changed after the server had saved them
    (form.dataset.fixed || "").split(" ").forEach((name) => delete draft.values[name]);
    const present = Object.fromEntries(fields().map((field) => [field.name, field.value.trim()]));
    const unsaved = Object.fromEntries(Object.entries(draft.values).filter(([name, value]) => (present[name] ?? "") !== value.trim()));
    if ("unsaved" in form.dataset) {
      fields().forEach(keep); // the page itself shows entries that the server refused
      return;
    }
    // after a save the server may have filled emptied cells from the opponents' cells
    const isSaved = draft.version !== version && Object.values(unsaved).every((value) => !value.trim());
    if (isSaved || !Object.keys(unsaved).length) {
      remove(key);
      return;
    }
    const time = writeTime(new Date(draft.saved));
    const discard = [form.dataset.discard, () => { remove(key); location.reload(); }];
    if (draft.version === version) {
      put(unsaved);
      notice(form.dataset.restored.replace("{time}", time), discard);
    } else notice(form.dataset.outdated.replace("{time}", time), [form.dataset.show, () => put(unsaved)], discard);
  };
  expire();
  restore();
  form.addEventListener("submit", (event) => {
    fields().forEach((field) => field.value !== field.defaultValue && field.tagName === "INPUT" && keep(field));
    if (navigator.onLine === false) {
      event.preventDefault();
      document.querySelector("p.draft.offline")?.remove();
      notice(form.dataset.offline).classList.add("offline");
    }
  });

  // after saving, the focus goes back to the field where it was
  let lastField = "";
  const PLACE = "sheet-place";
  try {
    const place = JSON.parse(sessionStorage.getItem(PLACE) || "null");
    sessionStorage.removeItem(PLACE);
    const field = place && place.path === location.pathname && document.getElementById(place.id);
    if (field) field.focus();
  } catch {
    /* storage is switched off */
  }
  form.addEventListener("submit", () => {
    try {
      if (lastField) sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, id: lastField }));
    } catch {
      /* storage is switched off */
    }
  });
  form.addEventListener("focusin", (event) => {
    if (event.target.id && event.target.matches("input, select, textarea")) lastField = event.target.id;
  });

  // names
  const list = document.createElement("datalist");
  list.id = "known-players";
  form.append(list);
  let asked = 0;
  const look = async (input) => {
    const text = input.value.trim();
    if (text.length < 2) return;
    const mine = ++asked;
    const country = input.closest("tr").querySelector('[name$="-country"]').value;
    const answer = await fetch(`${form.dataset.players}&q=${encodeURIComponent(text)}&country=${encodeURIComponent(country)}`);
    if (!answer.ok || mine !== asked) return;
    const { suggestions } = await answer.json();
    list.replaceChildren(
      ...suggestions.map((player) => {
        const option = document.createElement("option");
        option.value = player.described;
        Object.assign(option.dataset, player);
        return option;
      }),
    );
  };
  const take = (input) => {
    const option = [...list.options].find((one) => one.value === input.value);
    if (!option) return false;
    const line = input.closest("tr");
    const field = (name) => line.querySelector(`[name$="-${name}"]`);
    input.value = option.dataset.family;
    field("given").value = option.dataset.given;
    field("country").value = option.dataset.country;
    const choice = new Option(option.value, option.dataset.public_id, true, true);
    field("player").append(choice);
    ["family", "given", "country", "player"].forEach((name) => keep(field(name)));
    return true;
  };
  let waiting;
  form.addEventListener("input", (event) => {
    const input = event.target;
    if (input.classList.contains("result")) {
      delete input.dataset.filled;
      mirror(input);
    }
    if (input.closest("table.sheet tbody tr")) total(input.closest("tr"));
    if (input.name && input.name.endsWith("-family") && !take(input)) {
      input.setAttribute("list", list.id);
      clearTimeout(waiting);
      waiting = setTimeout(look, 150, input);
    }
    keep(input);
  });
  form.addEventListener("change", (event) => keep(event.target));
})();
