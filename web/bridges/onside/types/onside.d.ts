// What a page finds at `window.onside` in contract "docs", the default of `--onside-contract`: OnsideKit's "JS <--> Native
// Bridge" as its documentation has it. In contract "1.3", every function returns a promise: see 1.3/onside.d.ts. Copy one of the
// two files into your project as onside.d.ts. It has the names of the file that comes with the SDK, so pages compile with both.

declare global {
  interface Window {
    onside: OnsideJSBridge;
  }
}

/** An error of the host without associated values: an object with exactly one key, the name of the case. */
type OnsideErrorCase<Name extends string> = Name extends string ? { [Case in Name]: {} } : never;

/** Why a login did not happen: the user dismissed it. */
export type OnsideLoginError = OnsideErrorCase<"loginDiscarded">;

/** Why products could not be loaded. */
export type OnsideProductsRequestError = OnsideErrorCase<
  | "cancelled" | "connectionError" | "appNotRegistered" | "invalidProductIdentifier" | "serviceUnavailable"
  | "internalError"
>;

/** Why the signed history could not be fetched. */
export type OnsideSignedInAppsHistoryRequestError = OnsideErrorCase<
  | "notLoggedIn" | "notSupportedInLocalTesting" | "cancelled" | "connectionError" | "appNotRegistered"
  | "serviceUnavailable" | "internalError"
>;

/** Why payment methods could not be shown. */
export type OnsidePaymentMethodsManagerError = OnsideErrorCase<"loginDiscarded" | "notSupportedInLocalTesting">;

/** Why a restore could not start. */
export type OnsidePaymentQueueRequestRestoreError = OnsideErrorCase<"loginDiscarded">;

/** Why a restore that had started failed. */
export type OnsideTransactionsRestoreError = OnsideErrorCase<
  "cancelled" | "connectionError" | "appNotRegistered" | "serviceUnavailable" | "internalError"
>;

/** Why a transaction failed. */
export type OnsidePaymentTransactionError = OnsideErrorCase<"cancelled">;

/** Why attribution metadata could not be fetched. */
export type OnsideAttributionMetadataError = OnsideErrorCase<
  "connectionError" | "appNotRegistered" | "serviceUnavailable" | "internalError"
>;

/** Why a purchase did not reach the queue. */
export type JSPurchaseError = OnsideErrorCase<"unknownProduct" | "loginDiscarded">;

/** Why a transaction could not be finished: the queue has none with this id. */
export type JSFinishTransactionError = OnsideErrorCase<"unknownTransaction">;

/** A monetary value in major units, such as 9.99, with its ISO 4217 code. */
export interface JSPrice {
  value: number;
  currencyCode: string;
}

/** The length of a subscription's or a discount's period. */
export interface JSPeriod {
  unit: "day" | "week" | "month" | "year";
  numberOfUnits: number;
}

/** A price that is valid for a period. */
export interface JSPricePeriod {
  price: JSPrice;
  period: JSPeriod;
}

/** A product. It is a subscription if it has a `subscriptionPeriod`. */
export interface JSProduct {
  productIdentifier: string;
  localizedTitle: string;
  localizedDescription: string;
  iconUrl?: string;
  subscriptionGroupIdentifier?: string;
  subscriptionPeriod?: JSPeriod;
  price: JSPrice;
  introductoryPrice?: JSPricePeriod;
  discountedPrice?: JSPricePeriod;
}

/** The selected storefront. `id` is valid for one launch of the app; `countryCode` is an ISO 3166 code. */
export interface JSStorefront {
  id: string;
  countryCode: string;
}

/** What a transaction pays for: the product as it was at that time, and the token from the call of `purchase`. */
export interface JSPayment {
  product: JSProduct;
  appAccountToken?: string;
}

/** `purchased`, `restored` and `failed` are final: finish these. */
export type JSPaymentTransactionState = "purchasing" | "purchased" | "restored" | "failed";

/** A transaction in the payment queue. */
export interface JSPaymentTransaction {
  /** The handle for `finishTransaction`. */
  id: string;
  /** The server's id; absent until the payment was sent. */
  transactionIdentifier?: string;
  originalTransactionIdentifier?: string;
  payment: JSPayment;
  transactionState: JSPaymentTransactionState;
  storefront: JSStorefront;
  /** Only in the state `failed`. */
  error?: OnsidePaymentTransactionError;
}

/** Where the install came from; without `refererUrl` if that is unknown. */
export interface JSAttributionMetadata {
  refererUrl?: string;
}

/** The signed history of purchases: its bytes, and the text if the bytes are text. */
export interface JSSignedInAppsHistory {
  dataBase64: string;
  string?: string;
}

/** The products that `loadProducts` found, and the identifiers that it did not find. */
export interface JSProductsResponse {
  products: JSProduct[];
  invalidProductIdentifiers: string[];
}

/** An element of an array among the parameters of an event. */
export type JSEventArrayParameterValue = string | number | boolean;

/** A parameter of an event. */
export type JSEventParameterValue = JSEventArrayParameterValue | JSEventArrayParameterValue[];

/** `window.onside`. A page assigns its callbacks; native does not let it replace functions. */
export interface OnsideJSBridge {
  /** Prepares the bridge. Call it before all other functions. */
  initializeOnside(version: "v1"): Promise<void>;
  setAppearance(theme: "light" | "dark" | "system"): void;
  setShouldForceLocalLoginMethods(force: boolean): void;
  /** Takes an ISO 3166-1 alpha-2 code; an empty string removes the assumption. */
  setDefaultCountryCodeAssumption(countryCode: string): void;
  trackEvent(input: { name: string; parameters?: Record<string, JSEventParameterValue> }): void;
  /** Rejects with {@link OnsideLoginError}. */
  requestLogin(): Promise<void>;
  logout(): void;
  /** Rejects with {@link OnsidePaymentMethodsManagerError}. */
  presentPaymentMethodsManager(): Promise<void>;
  getCurrentStorefront(): Promise<JSStorefront | null>;
  /** Rejects with {@link OnsideProductsRequestError}. */
  loadProducts(input: { productIdentifiers: string[] }): Promise<JSProductsResponse>;
  /** Buys a product that `loadProducts` has returned. Rejects with {@link JSPurchaseError}. */
  purchase(input: { productIdentifier: string; appAccountToken?: string }): Promise<void>;
  /** Rejects with {@link OnsidePaymentQueueRequestRestoreError}. */
  restoreCompletedTransactions(): Promise<void>;
  getTransactions(): Promise<JSPaymentTransaction[]>;
  /** Rejects with {@link JSFinishTransactionError}. */
  finishTransaction(id: string): Promise<void>;
  /** Rejects with {@link OnsideAttributionMetadataError}. */
  getAttributionMetadata(): Promise<JSAttributionMetadata>;
  /** Rejects with {@link OnsideSignedInAppsHistoryRequestError}. */
  getSignedInAppsHistory(): Promise<JSSignedInAppsHistory>;

  // Callbacks that the page may assign. The bridge looks each one up when its event arrives.

  onTransactionsUpdated?(transactions: JSPaymentTransaction[]): void | Promise<void>;
  onTransactionsRemoved?(transactions: JSPaymentTransaction[]): void | Promise<void>;
  onStorefrontChanged?(storefront: JSStorefront | null): void | Promise<void>;
  onRestoreCompletedTransactionsFinished?(): void | Promise<void>;
  onRestoreCompletedTransactionsFailedWithError?(error: OnsideTransactionsRestoreError): void | Promise<void>;
  /** Whether a transaction continues in another storefront than it began in. Without this callback, it does. */
  shouldContinueTransaction?(input: {
    transaction: JSPaymentTransaction;
    storefront: JSStorefront;
  }): boolean | Promise<boolean>;
}

export {};
