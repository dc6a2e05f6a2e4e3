// The module that pages of contract "docs" import, as facts.
import type { Host, Transaction } from "../../values";

export type {
  JSAttributionMetadata, JSEventArrayParameterValue, JSEventParameterValue, JSFinishTransactionError, JSPayment,
  JSPaymentTransactionState, JSPeriod, JSPrice, JSPricePeriod, JSProduct, JSProductsResponse, JSSignedInAppsHistory,
  JSStorefront, OnsideAttributionMetadataError, OnsideLoginError, OnsidePaymentQueueRequestRestoreError,
  OnsideProductsRequestError, OnsideSignedInAppsHistoryRequestError, OnsideTransactionsRestoreError,
} from "../../values";

export type OnsidePaymentMethodsManagerError = { loginDiscarded: {} } | { notSupportedInLocalTesting: {} };
export type OnsidePaymentTransactionError = { cancelled: {} };
export type JSPurchaseError = { unknownProduct: {} } | { loginDiscarded: {} };
export type JSPaymentTransaction = Transaction<OnsidePaymentTransactionError>;
export type OnsideJSBridge = Host<void, JSPaymentTransaction>;

declare global {
  interface Window {
    onside: OnsideJSBridge;
  }
}
