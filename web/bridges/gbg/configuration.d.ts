// What GBGBridge adds to the configuration of the shim: how its messages reach the page.

interface HostConfiguration {
  gbg?: {
    /** The path of a function from `window`, such as `GBGBridge.onNativeMessage`. */
    function?: string;
    /** The name of a `CustomEvent` on `window`, whose `detail` is the message. */
    event?: string;
    /** The message as an object (the default), or as JSON text. */
    as?: "object" | "string";
    /** The developer's bootstrap script, below `/__footbridge/`. */
    scripts?: { path: string, at: "start" }[];
  };
}
