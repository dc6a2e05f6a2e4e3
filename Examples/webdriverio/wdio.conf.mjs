export const config = {
  runner: "local",
  framework: "mocha",
  specs: ["./*.e2e.mjs"],
  capabilities: [{ browserName: "chrome", "goog:chromeOptions": { args: ["headless=new"] } }],
};
