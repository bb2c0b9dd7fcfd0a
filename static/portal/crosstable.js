// Marks the opponents of the row under the pointer or the keyboard focus.
"use strict";
for (const table of document.querySelectorAll("table.crosstable")) {
  const rows = new Map([...table.tBodies[0].rows].map((row) => [row.cells[0].textContent.trim(), row]));
  const mark = (row, on) => {
    for (const link of row.querySelectorAll("[data-opponent]")) {
      rows.get(link.dataset.opponent)?.classList.toggle("opponent", on);
    }
  };
  const rowOf = (event) => event.target.closest("tbody tr");
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    table.addEventListener(name, (event) => {
      const row = rowOf(event);
      if (row) mark(row, on);
    });
  }
}
