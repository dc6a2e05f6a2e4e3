// What `window.onside` adds to the configuration of the shim, and types of the store that sheets and the demo name.

interface HostConfiguration {
  onsideContract?: "docs" | "1.3";
}

type JSPaymentTransaction = import("./types/onside").JSPaymentTransaction;
type JSPeriod = import("./types/onside").JSPeriod;
type JSPrice = import("./types/onside").JSPrice;
type JSProduct = import("./types/onside").JSProduct;
type JSStorefront = import("./types/onside").JSStorefront;
