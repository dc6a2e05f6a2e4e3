import { defineConfig } from "@playwright/test";

export default defineConfig({
  reporter: [["list"], ["html", { open: "never" }]],
  use: { footbridgeServeOptions: ["--root", "../site", "--catalog", "../Products.storekit"] },
});
