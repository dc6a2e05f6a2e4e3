/** @type {Record<string, (content: any, language: Language, sheet: SheetContent) => SheetParts>} */
const sheetKinds = {
  capture: captureSheet,
  form: formSheet,
  login: loginSheet,
  payment: paymentSheet,
  paymentMethods: paymentMethodsSheet,
  priceChange: priceChangeSheet,
  priceIncrease: priceIncreaseSheet,
  unavailable: unavailableSheet,
};

shimHost.present = presentSheet;
shimHost.dismiss = dismissSheet;
shimHost.note = noteTransactions;
shimHost.withhold = showElsewhere;
