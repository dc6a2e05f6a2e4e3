// The values that both published contracts share, as facts: what our types must say.

export interface JSPrice { value: number; currencyCode: string }
export interface JSPeriod { unit: "day" | "week" | "month" | "year"; numberOfUnits: number }
export interface JSPricePeriod { price: JSPrice; period: JSPeriod }
export interface JSProduct {
  productIdentifier: string; localizedTitle: string; localizedDescription: string; price: JSPrice; iconUrl?: string;
  subscriptionGroupIdentifier?: string; subscriptionPeriod?: JSPeriod; introductoryPrice?: JSPricePeriod; discountedPrice?: JSPricePeriod;
}
export interface JSStorefront { id: string; countryCode: string }
export interface JSPayment { product: JSProduct; appAccountToken?: string }
export type JSPaymentTransactionState = "purchasing" | "purchased" | "restored" | "failed";
export interface JSAttributionMetadata { refererUrl?: string }
export interface JSSignedInAppsHistory { dataBase64: string; string?: string }
export interface JSProductsResponse { products: JSProduct[]; invalidProductIdentifiers: string[] }
export type JSEventArrayParameterValue = string | number | boolean;
export type JSEventParameterValue = string | number | boolean | JSEventArrayParameterValue[];

/** A transaction. The two contracts differ in why it can fail. */
export interface Transaction<Failure> {
  id: string; transactionIdentifier?: string; originalTransactionIdentifier?: string; payment: JSPayment;
  transactionState: JSPaymentTransactionState; storefront: JSStorefront; error?: Failure;
}

export type OnsideLoginError = { loginDiscarded: {} };
export type OnsideProductsRequestError =
  | { cancelled: {} } | { connectionError: {} } | { appNotRegistered: {} } | { invalidProductIdentifier: {} }
  | { serviceUnavailable: {} } | { internalError: {} };
export type OnsideSignedInAppsHistoryRequestError =
  | { notLoggedIn: {} } | { notSupportedInLocalTesting: {} } | { cancelled: {} } | { connectionError: {} }
  | { appNotRegistered: {} } | { serviceUnavailable: {} } | { internalError: {} };
export type OnsidePaymentQueueRequestRestoreError = { loginDiscarded: {} };
export type OnsideTransactionsRestoreError =
  | { cancelled: {} } | { connectionError: {} } | { appNotRegistered: {} } | { serviceUnavailable: {} } | { internalError: {} };
export type OnsideAttributionMetadataError =
  | { connectionError: {} } | { appNotRegistered: {} } | { serviceUnavailable: {} } | { internalError: {} };
export type JSFinishTransactionError = { unknownTransaction: {} };

/** The members of `window.onside` that differ only in what setters return (`Done`) and in transactions. */
export interface Host<Done, Transaction> {
  initializeOnside(version: "v1"): Promise<void>;
  setAppearance(theme: "light" | "dark" | "system"): Done;
  setShouldForceLocalLoginMethods(force: boolean): Done;
  setDefaultCountryCodeAssumption(countryCode: string): Done;
  trackEvent(input: { name: string; parameters?: Record<string, JSEventParameterValue> }): Done;
  requestLogin(): Promise<void>;
  logout(): Done;
  presentPaymentMethodsManager(): Promise<void>;
  getCurrentStorefront(): Promise<JSStorefront | null>;
  loadProducts(input: { productIdentifiers: string[] }): Promise<JSProductsResponse>;
  purchase(input: { productIdentifier: string; appAccountToken?: string }): Promise<void>;
  restoreCompletedTransactions(): Promise<void>;
  getTransactions(): Promise<Transaction[]>;
  finishTransaction(id: string): Promise<void>;
  getAttributionMetadata(): Promise<JSAttributionMetadata>;
  getSignedInAppsHistory(): Promise<JSSignedInAppsHistory>;
  onTransactionsUpdated?(transactions: Transaction[]): void | Promise<void>;
  onTransactionsRemoved?(transactions: Transaction[]): void | Promise<void>;
  onStorefrontChanged?(storefront: JSStorefront | null): void | Promise<void>;
  onRestoreCompletedTransactionsFinished?(): void | Promise<void>;
  onRestoreCompletedTransactionsFailedWithError?(error: OnsideTransactionsRestoreError): void | Promise<void>;
  shouldContinueTransaction?(input: { transaction: Transaction; storefront: JSStorefront }): boolean | Promise<boolean>;
}
