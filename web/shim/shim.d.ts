// The parameters of the function that the server makes from the files of shim/.

declare const configuration: HostConfiguration;
/** Scripts of bridges, as functions, by the bridges' names. */
declare const scripts: Record<string, ((hook: import("../bridges/gbg/shim.js").BootstrapHook) => void) | undefined>;

/** The server's description of the simulated host. Each bridge adds its part: see configuration/. */
interface HostConfiguration {
  /** The bridges whose messages the shim makes: their actions begin with these names. */
  bridges: string[];
  platform: "ios" | "macos";
  /** Whether the document is the app in a frame of a test runner's page (`--framed-app`). */
  isApp?: boolean;
  handlers: import("./configuration.js").ChannelConfiguration[];
  /** The maximum size of a message. */
  messageBytes: number;
  /** The maximum size of a message without an image. */
  callBytes: number;
  /** The origins of the servers behind this one, for `proxy/passing.js`. */
  upstreams?: string[];
}
