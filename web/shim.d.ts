// The parameters of the function that the server joins the files of shim/ into.

declare const configuration: HostConfiguration;
/** Scripts of bridges, as functions, by the bridges' names. */
declare const scripts: Record<string, ((hook: BootstrapHook) => void) | undefined>;
