// English. The other languages are translations of these words: see README.md.
export const enWords = {
  cancel: "Cancel",
  done: "Done",
  ok: "OK",

  signInTitle: "Sign in to {store}",
  chooseAccount: "Choose an account.",
  noAccount: "No account is set up for this session.",
  account: "Account",
  signInWith: "Sign in with",
  signIn: "Sign in",
  loginNote: "A simulated sign-in with a test account: nothing leaves this machine.",

  buyTitle: "Buy {product}?",
  buy: "Buy",
  country: "Country or region",
  then: "Then",
  free: "Free",
  every: /** @type {PeriodForms} */ ({
    day: { 1: "per day", other: "every {number} days" },
    week: { 1: "per week", other: "every {number} weeks" },
    month: { 1: "per month", other: "every {number} months" },
    year: { 1: "per year", other: "every {number} years" },
  }),
  first: /** @type {PeriodForms} */ ({
    day: { 1: "for the first day", other: "for the first {number} days" },
    week: { 1: "for the first week", other: "for the first {number} weeks" },
    month: { 1: "for the first month", other: "for the first {number} months" },
    year: { 1: "for the first year", other: "for the first {number} years" },
  }),
  renews: "{price} {every}",
  offerFree: "{price} {first}",
  offerOnce: "{price} {first}",
  offerEach: "{price} {every} {first}",
  payWith: "Pay with",
  askTitle: "Ask permission to buy {product}?",
  ask: "Ask",
  purchaseNote: "A simulated test purchase: nothing is charged.",

  newPriceTitle: "New price for {product}",
  newPriceText: "The price has changed. This one applies in {country}.",
  priceChange: "was {old}, now {new}",
  renewalChange: "was {old}, now {new} {every}",
  continueAt: "Continue at {price}",
  increaseText: "Your subscription renews at the new price on {date}. Without your consent it ends on that day.",
  decline: "Decline",
  unavailableTitle: "{product} is not available",
  unavailableText: "It cannot be bought in {country}.",

  methodsTitle: "Payment methods",
  noMethods: "None yet",
  methodsNote: "Simulated: nothing is ever charged.",

  selfieTitle: "Take a selfie",
  documentTitle: "Photograph the {document}",
  frontTitle: "Photograph the front of the {document}",
  backTitle: "Photograph the back of the {document}",
  documents: {
    document: "document",
    passport: "passport",
    drivingLicence: "driving licence",
    identityCard: "identity card",
    residencePermit: "residence permit",
  },
  camera: "Camera",
  photo: "Your photo",
  takePhoto: "Take photo",
  retake: "Retake",
  usePhoto: "Use photo",
  choosePhoto: "Choose a photo",
  chooseAnother: "Choose another",
  switchCamera: "Switch camera",
  documentHint: "Fit it inside the frame and hold still.",
  selfieHint: "Look straight ahead, with your face inside the oval.",
  starting: "Starting the camera. The browser may ask whether this page may use it.",
  checkDocument: "Is everything sharp and easy to read?",
  checkSelfie: "Is your face sharp and well lit?",
  instead: "{reason} Choose a photo instead.",
  noImage: "{file} is no image that this browser can read. Choose another photo.",
  cameraInsecure: "Pages without https may not use the camera.",
  cameraDenied: "This page may not use the camera.",
  cameraBusy: "The camera is in use elsewhere.",
  cameraMissing: "No camera was found.",
  cameraBroken: "The camera does not work here.",
  cameraStopped: "The camera has stopped.",
  captureNote: "Simulated: the photo goes to Footbridge and to this page, and nowhere else.",

  processing: "Processing…",
  allSet: "You're all set",
  purchased: "You have bought {product}.",
  failed: "Purchase failed",
  notPurchased: "{product} was not bought.",
  interrupted: "Purchase interrupted",
  waitingForPermission: "Waiting for permission",
  declined: "Permission declined",
  waits: "The purchase waits: {product}",
  elsewhere: "Continue on the other page",
  elsewhereText: "This page waits for a sheet that is open there.",
};

/**
 * The texts of sheets in one language. Names in braces are placeholders. `{price}` stands where the price does, in larger type than the rest.
 * @typedef {typeof enWords} SheetWords
 */

/**
 * The forms of a phrase by number: for exactly 1, and for the plural categories of the language (CLDR). `other` also stands for those without a
 * form of their own.
 * @typedef {{1: string, other: string} & Partial<Record<Intl.LDMLPluralRule, string>>} NumberForms
 */

/** @typedef {Record<JSPeriod["unit"], NumberForms>} PeriodForms */
