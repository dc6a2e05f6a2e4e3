// A page for contract "docs" that uses every name of it. It is not run: it must type-check against our file and the contract's.

import type {
  JSPrice, JSPeriod, JSPricePeriod, JSProduct, JSStorefront, JSPayment, JSPaymentTransactionState,
  JSPaymentTransaction, JSAttributionMetadata, JSSignedInAppsHistory, JSProductsResponse, JSEventArrayParameterValue,
  JSEventParameterValue, OnsideLoginError, OnsideProductsRequestError, OnsideSignedInAppsHistoryRequestError,
  OnsidePaymentMethodsManagerError, OnsidePaymentQueueRequestRestoreError, OnsideTransactionsRestoreError,
  OnsidePaymentTransactionError, OnsideAttributionMetadataError, JSPurchaseError, JSFinishTransactionError,
  OnsideJSBridge,
} from "./onside";

async function initialize(): Promise<void> {
  await window.onside.initializeOnside("v1");
  window.onside.setAppearance("dark");
  window.onside.setShouldForceLocalLoginMethods(true);
  window.onside.setDefaultCountryCodeAssumption("");
  const tags: JSEventArrayParameterValue[] = ["a", 1, false];
  const parameters: Record<string, JSEventParameterValue> = { price: 9.99, first: true, tags, id: "x" };
  window.onside.trackEvent({ name: "purchaseCompleted", parameters });
  window.onside.trackEvent({ name: "seen" });
  window.onside.logout();
  // @ts-expect-error In this contract, these functions return nothing.
  await window.onside.setAppearance("light").then();
  // @ts-expect-error
  await window.onside.logout().then();
}

function listen(): void {
  window.onside.onTransactionsUpdated = async (transactions: JSPaymentTransaction[]) => {
    for (const transaction of transactions) await settle(transaction);
  };
  window.onside.onTransactionsRemoved = (transactions) => console.log(transactions.map((transaction) => transaction.id));
  window.onside.onStorefrontChanged = (storefront) => console.log(storefront?.countryCode ?? "nowhere");
  window.onside.onRestoreCompletedTransactionsFinished = () => undefined;
  window.onside.onRestoreCompletedTransactionsFailedWithError = (error: OnsideTransactionsRestoreError) => {
    if ("serviceUnavailable" in error) console.warn("later");
  };
  window.onside.shouldContinueTransaction = ({ transaction, storefront }) =>
    transaction.storefront.countryCode === storefront.countryCode;
  window.onside.shouldContinueTransaction = async () => true;
  // @ts-expect-error Only SDK 1.3 asks this.
  window.onside.shouldContinueTransactionAfterLogin = () => true;
}

async function settle(transaction: JSPaymentTransaction): Promise<void> {
  const state: JSPaymentTransactionState = transaction.transactionState;
  if (state === "purchasing") return;
  if (transaction.error && "cancelled" in transaction.error) console.log("cancelled");
  const payment: JSPayment = transaction.payment;
  const order: string | undefined = transaction.originalTransactionIdentifier ?? transaction.transactionIdentifier;
  console.log(payment.appAccountToken, payment.product.productIdentifier, order);
  try {
    await window.onside.finishTransaction(transaction.id);
  } catch (error) {
    const failure = error as JSFinishTransactionError;
    if ("unknownTransaction" in failure) console.log("gone");
  }
}

async function shop(): Promise<void> {
  try {
    const { products, invalidProductIdentifiers }: JSProductsResponse = await window.onside.loadProducts({ productIdentifiers: ["a"] });
    for (const product of products) console.log(describe(product), invalidProductIdentifiers.length);
    await window.onside.purchase({ productIdentifier: "a", appAccountToken: "token" });
    await window.onside.purchase({ productIdentifier: "a" });
  } catch (error) {
    const failure = error as OnsideProductsRequestError | JSPurchaseError;
    if ("connectionError" in failure) console.log("offline");
    else if ("unknownProduct" in failure) console.log("load it first");
  }
  const storefront: JSStorefront | null = await window.onside.getCurrentStorefront();
  const transactions: JSPaymentTransaction[] = await window.onside.getTransactions();
  const metadata: JSAttributionMetadata = await window.onside.getAttributionMetadata();
  const history: JSSignedInAppsHistory = await window.onside.getSignedInAppsHistory();
  console.log(storefront?.id, transactions.length, metadata.refererUrl, history.dataBase64, history.string);
  await window.onside.requestLogin();
  await window.onside.presentPaymentMethodsManager();
  await window.onside.restoreCompletedTransactions();
}

function describe(product: JSProduct): string {
  const price: JSPrice = product.price;
  const period: JSPeriod | undefined = product.subscriptionPeriod;
  const introduction: JSPricePeriod | undefined = product.introductoryPrice ?? product.discountedPrice;
  const unit: "day" | "week" | "month" | "year" | undefined = period?.unit ?? introduction?.period.unit;
  return [
    product.localizedTitle, product.localizedDescription, product.iconUrl, product.subscriptionGroupIdentifier, price.value.toFixed(2),
    price.currencyCode, unit, period?.numberOfUnits,
  ].join(" ");
}

void initialize().then(listen).then(shop);

// What a page learns from a rejected call: each union has exactly the cases that its switch names.

type Case<Union> = Union extends unknown ? keyof Union : never;

function never(value: never): string {
  return value;
}

function why(kind: Case<OnsideProductsRequestError | OnsideSignedInAppsHistoryRequestError>): string {
  switch (kind) {
    case "cancelled": case "connectionError": case "appNotRegistered": case "invalidProductIdentifier":
    case "serviceUnavailable": case "internalError": case "notLoggedIn": case "notSupportedInLocalTesting":
      return kind;
    default:
      return never(kind);
  }
}

function whyNotRestored(kind: Case<OnsideTransactionsRestoreError>): string {
  switch (kind) {
    case "cancelled": case "connectionError": case "appNotRegistered": case "serviceUnavailable": case "internalError":
      return kind;
    default:
      return never(kind);
  }
}

function whyUnknownOrigin(kind: Case<OnsideAttributionMetadataError>): string {
  switch (kind) {
    case "connectionError": case "appNotRegistered": case "serviceUnavailable": case "internalError":
      return kind;
    default:
      return never(kind);
  }
}

function isGone(error: JSFinishTransactionError | OnsideLoginError | OnsidePaymentQueueRequestRestoreError): boolean {
  return "unknownTransaction" in error || "loginDiscarded" in error;
}

function whyNotBought(kind: Case<JSPurchaseError>): string {
  switch (kind) {
    case "unknownProduct": case "loginDiscarded":
      return kind;
    default:
      return never(kind);
  }
}

function whyNotManaged(kind: Case<OnsidePaymentMethodsManagerError>): string {
  switch (kind) {
    case "loginDiscarded": case "notSupportedInLocalTesting":
      return kind;
    default:
      return never(kind);
  }
}

function whyFailed(kind: Case<OnsidePaymentTransactionError>): string {
  switch (kind) {
    case "cancelled":
      return kind;
    default:
      return never(kind);
  }
}

// A unit test of the page replaces the host, or one function of it.
function mock(product: JSProduct): void {
  const host: OnsideJSBridge = window.onside;
  host.loadProducts = async () => ({ products: [product], invalidProductIdentifiers: [] });
  host.logout = () => undefined;
  window.onside = { ...host, getTransactions: async () => [] };
}

// @ts-expect-error Only SDK 1.3 has these two.
export type { OnsideBridgeError } from "./onside";
// @ts-expect-error
export type { OnsideInitializeError } from "./onside";

console.log([why, whyNotRestored, whyUnknownOrigin, isGone, whyNotBought, whyNotManaged, whyFailed, mock].length);
