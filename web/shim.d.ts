// The parameters of the function that the server joins the files of shim/ into.

declare const configuration: HostConfiguration;
/** A script of the developer's own for GBGBridge, as a function. */
declare const bootstrap: ((hook: BootstrapHook) => void) | undefined;
