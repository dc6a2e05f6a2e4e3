/** @type {Record<string, (content: any) => SheetParts>} */
const sheetKinds = {
  capture: captureSheet,
  login: loginSheet,
  payment: paymentSheet,
  paymentMethods: paymentMethodsSheet,
  priceChange: priceChangeSheet,
  unavailable: unavailableSheet,
};

shimHost.present = presentSheet;
shimHost.dismiss = dismissSheet;
