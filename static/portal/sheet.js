"use strict";
// Typing a crosstable: mirrored cells and points fill themselves, arrows move, unsaved work survives a reload,
// names are looked up. The server checks everything again; without this script all of it still works.
(() => {
  const form = document.getElementById("sheet");
  if (!form || !form.querySelector("button[name=check]")) return;
  const TOKEN = /^(\d+)\s*([-+=])(.*)$/;
  const OTHER = { "+": "-", "-": "+", "=": "=" };
  const POINTS = { "+": 1, "-": 0, "=": 0.5 };
  const cell = (row, round) => document.getElementById(`id_row-${row}-round-${round}`);
  const place = (input) => (/^row-(\d+)-round-(\d+)$/.exec(input.name) || []).slice(1).map(Number);

  const mirroredRest = (rest) =>
    rest.replace(/\(([-+])/, (_, side) => `(${OTHER[side]}`).replace(/\/([bw])/i, (_, colour) => (colour.toLowerCase() === "b" ? "/w" : "/b"));

  const mirror = (input) => {
    const [row, round] = place(input);
    const token = TOKEN.exec(input.value.trim());
    if (!token || token[1] === "0") return;
    const there = cell(token[1], round);
    if (there && there !== input && (!there.value.trim() || there.dataset.filled === String(row))) {
      there.value = `${row}${OTHER[token[2]]}${mirroredRest(token[3])}`;
      there.dataset.filled = row;
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
  form.querySelectorAll("table.sheet tbody tr").forEach(total);

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
  form.addEventListener("keydown", (event) => {
    if (event.target.classList.contains("result")) move(event.target, event);
  });

  // what was typed and not yet sent
  const key = form.dataset.kept;
  const fields = () => [...form.querySelectorAll("input[name]:not([type=hidden]), select[name]")];
  const keep = () => {
    const values = Object.fromEntries(fields().map((field) => [field.name, field.value]));
    localStorage.setItem(key, JSON.stringify({ changed: form.dataset.changed, values }));
  };
  try {
    const kept = JSON.parse(localStorage.getItem(key) || "null");
    if (kept && kept.changed === form.dataset.changed) {
      fields().forEach((field) => {
        const value = kept.values[field.name];
        if (value === undefined || (field.tagName === "SELECT" && ![...field.options].some((option) => option.value === value))) return;
        field.value = value;
      });
      form.querySelectorAll("table.sheet tbody tr").forEach(total);
    } else localStorage.removeItem(key);
  } catch {
    localStorage.removeItem(key);
  }
  form.addEventListener("submit", () => localStorage.removeItem(key));

  // names
  const list = document.createElement("datalist");
  list.id = "known-players";
  form.append(list);
  let asked = 0;
  const look = async (input) => {
    const text = input.value.trim();
    if (text.length < 2) return;
    const mine = ++asked;
    const answer = await fetch(`${form.dataset.players}?q=${encodeURIComponent(text)}`);
    if (!answer.ok || mine !== asked) return;
    const { players } = await answer.json();
    list.replaceChildren(
      ...players.map((player) => {
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
    const choice = new Option(option.value, option.dataset.id, true, true);
    field("player").append(choice);
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
    keep();
  });
  form.addEventListener("change", keep);
})();
