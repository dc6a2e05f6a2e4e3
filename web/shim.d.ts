// The parameters of the function that the server makes from the files of shim/.

declare const configuration: HostConfiguration;
/** Scripts of bridges, as functions, by the bridges' names. */
declare const scripts: Record<string, ((hook: BootstrapHook) => void) | undefined>;

// Types of the store that sheets and the demo name.
type JSPaymentTransaction = import("./types/onside").JSPaymentTransaction;
type JSPeriod = import("./types/onside").JSPeriod;
type JSPrice = import("./types/onside").JSPrice;
type JSProduct = import("./types/onside").JSProduct;
type JSStorefront = import("./types/onside").JSStorefront;
