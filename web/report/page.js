// Puts a button into each heading of a sortable table, which sorts its rows: down, up, down, ...
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  table.caption.append(" The buttons of the headings sort them.");
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent;
    return { number: text === "" ? NaN : Number(text), text };
  };
  // Numbers before texts, cells without a value last, however the others are sorted.
  const compare = (a, b, sign) => {
    if (a.text === "" || b.text === "") return (a.text === "") - (b.text === "");
    const both = !Number.isNaN(a.number) && !Number.isNaN(b.number);
    return sign * (both ? a.number - b.number : order.compare(a.text, b.text));
  };
  heads.forEach((head, column) => {
    if ("fixed" in head.dataset) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
      rows.sort((a, b) => compare(a[0], b[0], sign));
      body.append(...rows.map((pair) => pair[1]));
    });
  });
}
