// Each type of our file and of the contract is assignable to the other, and both files say the same about `window.onside`.
import type * as theirs from "./contract/onside";
import type * as ours from "../../../../web/bridges/onside/types/1.3/onside";

type Same<Ours, Theirs> = [Ours, Theirs] extends [Theirs, Ours] ? true : false;
type Holds<Claim extends true> = Claim;

export type All = [
  Holds<Same<ours.JSAttributionMetadata, theirs.JSAttributionMetadata>>,
  Holds<Same<ours.JSEventArrayParameterValue, theirs.JSEventArrayParameterValue>>,
  Holds<Same<ours.JSEventParameterValue, theirs.JSEventParameterValue>>,
  Holds<Same<ours.JSFinishTransactionError, theirs.JSFinishTransactionError>>,
  Holds<Same<ours.JSPayment, theirs.JSPayment>>,
  Holds<Same<ours.JSPaymentTransaction, theirs.JSPaymentTransaction>>,
  Holds<Same<ours.JSPaymentTransactionState, theirs.JSPaymentTransactionState>>,
  Holds<Same<ours.JSPeriod, theirs.JSPeriod>>,
  Holds<Same<ours.JSPrice, theirs.JSPrice>>,
  Holds<Same<ours.JSPricePeriod, theirs.JSPricePeriod>>,
  Holds<Same<ours.JSProduct, theirs.JSProduct>>,
  Holds<Same<ours.JSProductsResponse, theirs.JSProductsResponse>>,
  Holds<Same<ours.JSPurchaseError, theirs.JSPurchaseError>>,
  Holds<Same<ours.JSSignedInAppsHistory, theirs.JSSignedInAppsHistory>>,
  Holds<Same<ours.JSStorefront, theirs.JSStorefront>>,
  Holds<Same<ours.OnsideAttributionMetadataError, theirs.OnsideAttributionMetadataError>>,
  Holds<Same<ours.OnsideLoginError, theirs.OnsideLoginError>>,
  Holds<Same<ours.OnsidePaymentMethodsManagerError, theirs.OnsidePaymentMethodsManagerError>>,
  Holds<Same<ours.OnsidePaymentQueueRequestRestoreError, theirs.OnsidePaymentQueueRequestRestoreError>>,
  Holds<Same<ours.OnsidePaymentTransactionError, theirs.OnsidePaymentTransactionError>>,
  Holds<Same<ours.OnsideProductsRequestError, theirs.OnsideProductsRequestError>>,
  Holds<Same<ours.OnsideSignedInAppsHistoryRequestError, theirs.OnsideSignedInAppsHistoryRequestError>>,
  Holds<Same<ours.OnsideTransactionsRestoreError, theirs.OnsideTransactionsRestoreError>>,
  Holds<Same<ours.OnsideBridgeError, theirs.OnsideBridgeError>>,
  Holds<Same<ours.OnsideInitializeError, theirs.OnsideInitializeError>>,
  Holds<Same<ours.OnsideJSBridge, theirs.OnsideJSBridge>>,
];
