// A test of a shop with Cypress. The shop is Footbridge's demo.

const api = (path, body) => cy.request({
  method: "POST", url: `/__footbridge/api/v1${path}`, body, auth: { bearer: Cypress.env("controlToken") },
}).its("body");

/** Waits for a sheet of this kind, and approves it. */
const approve = (session, action, fields = {}) => {
  api(`/sessions/${session}/journal/wait`, { until: { kind: "sheetOpened", action }, timeout: 5000 }).then(({ entry }) => {
    api(`/sessions/${session}/sheets/${entry.data.id}/answer`, { approved: true, fields });
  });
};

it("counts paid credits", () => {
  api("/sessions", { account: "eva" }).then(({ id }) => {
    api(`/sessions/${id}/enter`, { to: "/" }).then(({ url }) => cy.visit(url));
    cy.contains("button", "Buy 10 credits").click();
    approve(id, "payment");
    cy.contains("10 left");
  });
});
