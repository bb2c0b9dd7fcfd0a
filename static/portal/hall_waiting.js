"use strict";
// Boards of pairings that wait on this phone: made from the typed lines, so that results can be tapped before the server has the pairings.
const waitingBoards = (() => {
  const list = () => document.getElementById("waiting-boards");
  const all = () => [...(list()?.querySelectorAll("form") ?? [])];
  const find = ({ round, line }) => all().find((form) => form.dataset.round === round && form.dataset.line === line);
  const split = (pairings) => pairings.split("\n").map((line) => line.trim().replace(/\s+/g, " ")).filter(Boolean);

  // the typed lines are read by the server's own expressions
  const readLine = (line) => {
    const { separator, mark, numbers, byes, people } = JSON.parse(list().dataset.syntax);
    const sign = new RegExp(mark, "i").exec(line), names = line.slice(0, sign.index);
    const pair = new RegExp(`^(?:${numbers})$`).exec(names);
    const [first, second = ""] = pair && !pair[3].trim() ? [pair[1], pair[2]] : names.split(new RegExp(separator, "i"));
    const name = (text) => people[text.trim()] ?? text.trim().replace(/,(?=\S)/, ", ");
    const isBye = !second.trim() || byes.includes(second.trim().toLowerCase());
    return { first: name(first), second: isBye ? "" : name(second), note: sign[1].trim() };
  };
  const fillIn = (item, values) => {
    const fill = (text) => text.replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
    for (const element of [item, ...item.querySelectorAll("*")]) {
      for (const attribute of element.attributes) attribute.value = fill(attribute.value);
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) node.data = fill(node.data);
    }
    return item;
  };
  const build = (line, place) => {
    const values = { ...readLine(line), number: place + 1, id: `waiting-${place + 1}` };
    const template = document.getElementById(values.second ? "waiting-game" : "waiting-bye");
    const item = fillIn(template.content.firstElementChild.cloneNode(true), values);
    item.querySelector("form").dataset.line = line;
    return item;
  };
  // Show the boards of these pairings; none if they are empty.
  const show = (pairings) => {
    const ol = list(), none = document.querySelector("[data-live=boards] > p");
    if (none) none.hidden = !!pairings;
    if (!ol || (ol.dataset.pairings ?? "") === pairings) return;
    ol.dataset.pairings = pairings;
    ol.hidden = !pairings;
    ol.replaceChildren(...split(pairings).map(build));
  };
  return { all, find, show, split };
})();
