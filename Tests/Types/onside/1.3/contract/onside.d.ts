// The module that pages for SDK 1.3 import, as facts.
import type { Host, Transaction } from "../../values";

export type {
  JSAttributionMetadata, JSEventArrayParameterValue, JSEventParameterValue, JSFinishTransactionError, JSPayment,
  JSPaymentTransactionState, JSPeriod, JSPrice, JSPricePeriod, JSProduct, JSProductsResponse, JSSignedInAppsHistory,
  JSStorefront, OnsideAttributionMetadataError, OnsideLoginError, OnsidePaymentQueueRequestRestoreError,
  OnsideProductsRequestError, OnsideSignedInAppsHistoryRequestError, OnsideTransactionsRestoreError,
} from "../../values";

export type OnsidePaymentMethodsManagerError =
  | { loginDiscarded: {} } | { notSupportedInLocalTesting: {} } | { presentationFailed: {} };
export type OnsidePaymentTransactionError = { cancelled: {} } | { presentationFailed: {} };
export type JSPurchaseError = { unknownProduct: {} } | { loginDiscarded: {} } | { rejectedAfterLogin: {} };
export interface OnsideInitializeError { reason: string }
export interface OnsideBridgeError extends Error {
  name: "PontoonBridgeError";
  code:
    | "brokenRequest" | "disallowedFrame" | "functionNotDefined" | "invalidArguments" | "cannotSerializeResponse"
    | "bridgeDetached" | "parametersNotRepresentable";
}
export type JSPaymentTransaction = Transaction<OnsidePaymentTransactionError>;
export interface OnsideJSBridge extends Host<Promise<void>, JSPaymentTransaction> {
  shouldContinueTransactionAfterLogin?(input: { transaction: JSPaymentTransaction }): boolean | Promise<boolean>;
}

declare global {
  interface Window {
    onside: OnsideJSBridge;
  }
}
