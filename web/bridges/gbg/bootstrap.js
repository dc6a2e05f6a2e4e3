// The developer's bootstrap script for GBGBridge. It calls a function of the shim with its own function.

import { defineProperty, deleteProperty } from "../../shim/builtins.js";
import { loadScripts } from "../../shim/scripts.js";
import { installs } from "../../shim/webkit.js";
import { bootstrapHook } from "./shim.js";

installs.push(() => {
  const name = "footbridgeBootstrap";
  const value = (/** @type {(hook: import("./shim.js").BootstrapHook) => void} */ run) => {
    deleteProperty(window, name);
    run(bootstrapHook);
  };
  defineProperty(window, name, { value, configurable: true });
  loadScripts({ scripts: configuration.gbg?.scripts ?? [] }, "start");
});
