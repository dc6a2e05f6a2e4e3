const cardPath =
  "M3.5 7a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2ZM3.5 10h17M7 15h3";

/**
 * @param {{account: {name: string, email: string}, methods: {id: string, label: string}[]}} content
 * @returns {SheetParts}
 */
function paymentMethodsSheet({ account, methods }) {
  const rows = methods.map(({ label }) => element("div", { class: "row" }, label));
  return {
    title: "Payment methods",
    description: account.email,
    icon: element("span", { class: "symbol" }, glyph(cardPath)),
    body: [element("div", { class: "rows" }, ...(rows.length ? rows : [element("div", { class: "row" }, "None yet")]))],
    confirm: "Done",
  };
}
