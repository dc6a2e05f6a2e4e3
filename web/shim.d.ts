// The parameters of the function that the server makes from the files of shim/.

declare const configuration: HostConfiguration;
/** Scripts of bridges, as functions, by the bridges' names. */
declare const scripts: Record<string, ((hook: BootstrapHook) => void) | undefined>;
