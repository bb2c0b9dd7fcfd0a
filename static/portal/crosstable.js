// Marks a row, its opponents' rows and the games between them: under the pointer, the focus, or once tapped.
"use strict";
for (const table of document.querySelectorAll("table.crosstable")) {
  const rowOf = (link) => document.getElementById(link.hash.slice(1));
  const gamesOf = (row) => row.querySelectorAll('a[href^="#"]');
  const nameOf = (row) => row.querySelector("th").textContent;
  let shown, kept;

  const show = (row) => {
    if (row === shown) return;
    for (const one of table.querySelectorAll(".chosen, .opponent, .meeting")) one.classList.remove("chosen", "opponent", "meeting");
    shown = row;
    if (!row) return;
    row.classList.add("chosen");
    for (const link of gamesOf(row)) {
      const opponent = rowOf(link);
      if (!opponent) continue;
      link.title ||= nameOf(opponent);
      opponent.classList.add("opponent");
      for (const back of gamesOf(opponent)) if (rowOf(back) === row) back.parentNode.classList.add("meeting");
    }
  };
  const target = (event) => event.target.closest("tbody tr");

  table.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") show(target(event) ?? kept); });
  table.addEventListener("pointerleave", () => show(kept));
  table.addEventListener("focusin", (event) => show(target(event) ?? kept));
  table.addEventListener("focusout", () => show(kept));
  // a tap marks until the next one; links go where they lead
  table.addEventListener("click", (event) => {
    const row = target(event);
    if (!row || event.target.closest("a")) return;
    kept = kept === row ? undefined : row;
    show(kept);
  });
}
