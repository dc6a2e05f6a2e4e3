// A page that uses every function, callback and type of the contract: it is not run, it must type-check.

async function initialize(): Promise<void> {
  await window.onside.initializeOnside("v1");
  window.onside.setAppearance("dark");
  window.onside.setShouldForceLocalLoginMethods(true);
  window.onside.setDefaultCountryCodeAssumption("");
  window.onside.trackEvent({ name: "purchaseCompleted", parameters: { price: 9.99, first: true, tags: ["a", 1, false], id: "x" } });
  window.onside.trackEvent({ name: "seen" });
  window.onside.logout();
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
