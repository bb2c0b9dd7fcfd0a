"use strict";
// The names of a submission: players are suggested while a name is typed, Enter searches. The page works without this.
(() => {
  const form = document.getElementById("people");
  if (!form) return;
  const makeChoice = (name, player) => {
    const label = document.createElement("label");
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name, value: player.id });
    label.append(radio, ` ${player.described}`);
    return label;
  };
  let asked = 0;
  const suggest = async (input) => {
    const text = input.value.trim();
    if (text.length < 2) return;
    const mine = ++asked;
    const query = `&q=${encodeURIComponent(text)}&country=${encodeURIComponent(input.dataset.country)}`;
    const answer = await fetch(form.dataset.players + query);
    if (!answer.ok || mine !== asked) return;
    const { players } = await answer.json();
    const name = input.name.replace(/q$/, "other");
    input.closest(".other").querySelector(".found").replaceChildren(...players.map((player) => makeChoice(name, player)));
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
})();
