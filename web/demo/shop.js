// A shop, written as for the app: it uses `window.onside` and does not know that the host is simulated.

import { element, shown } from "./steps.js";

/** The products on sale. `kind` is also the id of the list that shows the product. */
const offers = [
  { id: "daylight.presets.nordic-light", kind: "presets", art: "nordic-light" },
  { id: "daylight.presets.night-walk", kind: "presets", art: "night-walk" },
  { id: "daylight.credits.10", kind: "credits", art: "credits", credits: 10 },
  { id: "daylight.credits.50", kind: "credits", art: "credits", credits: 50 },
  { id: "daylight.pro.yearly", kind: "pro", art: "pro" },
  { id: "daylight.pro.monthly", kind: "pro", art: "pro" },
];

const onside = window.onside && traced(window.onside);

/** @type {Map<string, JSProduct>} */
let products = new Map();
/** @type {Map<string, JSPaymentTransaction>} */
const queue = new Map();
/** @type {JSStorefront | null} */
let storefront = null;

/** The unlocked products, the credits, and the transactions that are already counted. */
const owned = {
  unlocked: new Set(/** @type {string[]} */ (stored().unlocked ?? [])),
  counted: new Set(/** @type {string[]} */ (stored().counted ?? [])),
  credits: Number(stored().credits ?? 0),
};

/** @returns {{unlocked?: string[], counted?: string[], credits?: number}} */
function stored() {
  try {
    return JSON.parse(localStorage.getItem("daylight") ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const automatic = /** @type {HTMLInputElement} */ (byId("automatic"));
const appearance = /** @type {HTMLSelectElement} */ (byId("appearance"));

/**
 * Makes a button whose accessible name includes its object, for people who do not see the text beside it.
 * @param {string} className
 * @param {string} verb
 * @param {string} object
 * @param {() => Promise<void>} action
 */
function actionButton(className, verb, object, action) {
  const name = element("span", "hidden", ` ${object}`);
  const button = /** @type {HTMLButtonElement} */ (element("button", className, verb, name));
  button.type = "button";
  button.addEventListener("click", () => whileBusy(button, action));
  return button;
}

/**
 * Runs `action` with the button disabled, and shows what went wrong.
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} action
 */
async function whileBusy(button, action) {
  // The button stays focusable, because the focus returns to it when a native sheet closes.
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  say("");
  try {
    await action();
  } catch (error) {
    say(explanation(error));
  } finally {
    button.ariaDisabled = null;
  }
}

/** @param {string} text */
const say = (text) => byId("status").replaceChildren(text);

/**
 * @param {any} error - an `Error`, or an error of the host of the form `{ <case>: {} }`
 * @returns {string}
 */
function explanation(error) {
  if (error instanceof Error) return error.message;
  const [name = "unknown"] = Object.keys(error ?? {});
  const texts = {
    loginDiscarded: "You are not signed in, so nothing was done.",
    unknownProduct: "This product is not sold any more.",
    notSupportedInLocalTesting: "Payment methods cannot be managed in local testing.",
    connectionError: "There is no connection to the store.",
  };
  return texts[/** @type {keyof texts} */ (name)] ?? `The store refused (${name}).`;
}

/** The browser's language. Without one, WebKitGTK says "C", which is no language tag. */
const language = (() => {
  try {
    return new Intl.Locale(navigator.language).toString();
  } catch {
    return "en";
  }
})();

/** @param {JSPrice} price */
const priceText = ({ value, currencyCode }) =>
  new Intl.NumberFormat(language, { style: "currency", currency: currencyCode }).format(value);

/** @param {JSPeriod} period */
const periodText = ({ unit, numberOfUnits }) => numberOfUnits === 1 ? unit : `${numberOfUnits} ${unit}s`;

/** @param {string} countryCode */
function countryText(countryCode) {
  try {
    return new Intl.DisplayNames("en", { type: "region" }).of(countryCode) ?? countryCode;
  } catch {
    return countryCode;
  }
}

/** @param {JSProduct} product */
function priceLines({ price, subscriptionPeriod, introductoryPrice }) {
  const lines = element("p", "price", element("strong", "", priceText(price)));
  if (subscriptionPeriod) lines.append(` per ${periodText(subscriptionPeriod)}`);
  if (introductoryPrice) {
    const start = introductoryPrice.price.value ? priceText(introductoryPrice.price) : "free";
    lines.append(element("span", "", `First ${periodText(introductoryPrice.period)} ${start}`));
  }
  return lines;
}

/** @param {JSProduct} product */
async function buy({ productIdentifier }) {
  try {
    await onside.purchase({ productIdentifier });
  } catch (error) {
    if (!(error instanceof Object) || !("unknownProduct" in error)) throw error;
    // The host forgets products when the app relaunches under an open page.
    await loadProducts();
    await onside.purchase({ productIdentifier });
  }
}

async function loadProducts() {
  const answer = await onside.loadProducts({ productIdentifiers: offers.map(({ id }) => id) });
  products = new Map(answer.products.map((product) => [product.productIdentifier, product]));
  showProducts();
  if (answer.invalidProductIdentifiers.length) say(`Not sold here: ${answer.invalidProductIdentifiers.join(", ")}`);
}

function showProducts() {
  const focused = document.activeElement?.closest("[data-product]")?.getAttribute("data-product");
  for (const kind of new Set(offers.map((offer) => offer.kind))) {
    byId(kind).replaceChildren(...offers.filter((offer) => offer.kind === kind).flatMap((offer) => {
      const product = products.get(offer.id);
      return product ? [productItem(product, offer.art)] : [];
    }));
  }
  byId("balance").textContent = `${owned.credits} left`;
  /** @type {HTMLElement | null} */
  const button = focused ? document.querySelector(`[data-product="${CSS.escape(focused)}"] button`) : null;
  button?.focus({ preventScroll: true });
}

/**
 * @param {JSProduct} product
 * @param {string} art
 */
function productItem(product, art) {
  const title = product.localizedTitle;
  const template = /** @type {HTMLTemplateElement} */ (byId(`art-${art}`));
  const picture = element("div", "art", template.content.cloneNode(true));
  const words = element("div", "words", element("h3", "", title), element("p", "", product.localizedDescription));
  const deal = element("div", "deal", priceLines(product), actionButton("buy", "Buy", title, () => buy(product)));
  const item = element("li", "", picture, words, deal);
  item.dataset.product = product.productIdentifier;
  if (owned.unlocked.has(product.productIdentifier)) {
    (art === "pro" ? words : picture).append(element("span", "owned", art === "pro" ? "Active" : "Unlocked"));
  }
  return item;
}

/** @param {JSPaymentTransaction} transaction */
function deliver({ id, payment: { product } }) {
  if (owned.counted.has(id)) return;
  owned.counted.add(id);
  const credits = offers.find((offer) => offer.id === product.productIdentifier)?.credits;
  if (credits) owned.credits += credits;
  else owned.unlocked.add(product.productIdentifier);
  const { unlocked, counted } = owned;
  localStorage.setItem("daylight", JSON.stringify({ ...owned, unlocked: [...unlocked], counted: [...counted] }));
  showProducts();
}

/** @param {JSPaymentTransaction[]} transactions */
function tell(transactions) {
  for (const { payment: { product: { localizedTitle, productIdentifier } }, transactionState } of transactions) {
    const isCredits = offers.some(({ id, credits }) => id === productIdentifier && credits);
    const texts = {
      purchasing: `${localizedTitle}: the payment is in progress.`,
      failed: `${localizedTitle} was not bought.`,
      purchased: isCredits ? `You have ${owned.credits} credits.` : `${localizedTitle} is yours.`,
      restored: `${localizedTitle} is yours again.`,
    };
    say(texts[/** @type {keyof texts} */ (transactionState)] ?? "");
  }
}

/** @param {JSPaymentTransaction[]} transactions */
function receive(transactions) {
  for (const transaction of transactions) {
    queue.set(transaction.id, transaction);
    const { transactionState } = transaction;
    if (transactionState === "purchased" || transactionState === "restored") deliver(transaction);
    if (transactionState !== "purchasing" && automatic.checked) {
      onside.finishTransaction(transaction.id).catch((error) => say(explanation(error)));
    }
  }
  showQueue();
}

function showQueue() {
  byId("queue").replaceChildren(...[...queue.values()].map((transaction) => {
    const { id, payment: { product: { localizedTitle } }, transactionState } = transaction;
    const item = element("li", "",
      element("div", "words", localizedTitle, element("code", "", transaction.transactionIdentifier ?? id)),
      element("span", `state ${transactionState}`, transactionState));
    if (transactionState !== "purchasing") {
      item.append(actionButton("quiet", "Finish", localizedTitle, () => onside.finishTransaction(id)));
    }
    return item;
  }));
  byId("queue-note").hidden = ![...queue.values()].some(({ transactionState }) => transactionState !== "purchasing");
}

function showStorefront() {
  byId("storefront").textContent = storefront ? countryText(storefront.countryCode) : "No storefront";
  byId("login").textContent = storefront ? "Sign out" : "Sign in";
}

/**
 * Shows what crosses the bridge: each call with its result, and each callback with the page's answer.
 * @param {typeof window.onside} bridge
 * @returns {typeof window.onside}
 */
function traced(bridge) {
  /**
   * @param {"page" | "native"} asker
   * @param {string} name
   * @param {(...values: any[]) => any} body
   */
  const noting = (asker, name, body) => (/** @type {any[]} */ ...values) => {
    const other = asker === "page" ? "native" : "page";
    log(asker, name, values[0]);
    const answer = body(...values);
    if (answer === undefined) return;
    // Native does not hear that a callback which has nothing to say has ended.
    const note = (/** @type {unknown} */ value) => asker === "native" && value === undefined || log(other, name, value);
    Promise.resolve(answer).then(note, note);
    return answer;
  };
  // Not of the bridge itself: a proxy must return the read-only members of its target as they are.
  return new Proxy(/** @type {typeof bridge} */ ({}), {
    get(_, name) {
      const member = Reflect.get(bridge, name);
      return typeof member === "function" ? noting("page", String(name), member.bind(bridge)) : member;
    },
    set: (_, name, callback) => Reflect.set(bridge, name, noting("native", String(name), callback)),
  });
}

/**
 * @param {"page" | "native"} direction - who speaks
 * @param {string} name
 * @param {unknown} value
 */
function log(direction, name, value) {
  const now = new Date();
  const time = element("time", "", now.toLocaleTimeString("en-GB"));
  time.setAttribute("datetime", now.toISOString());
  const head = element("summary", "", time, direction === "page" ? "page → native" : "native → page", element("code", "", name));
  const rows = byId("log");
  rows.prepend(element("li", direction, element("details", "", head, element("pre", "", shown(value) ?? "nothing"))));
  while (rows.children.length > 200) rows.lastChild?.remove();
}

function listen() {
  onside.onTransactionsUpdated = (transactions) => {
    receive(transactions);
    tell(transactions);
  };
  onside.onTransactionsRemoved = (transactions) => {
    for (const { id } of transactions) queue.delete(id);
    showQueue();
  };
  onside.onStorefrontChanged = async (changed) => {
    storefront = changed;
    showStorefront();
    await loadProducts();
  };
  onside.onRestoreCompletedTransactionsFinished = () => {
    say("Your purchases are restored.");
  };
  onside.onRestoreCompletedTransactionsFailedWithError = (error) => {
    say(`Restoring failed: ${explanation(error)}`);
  };
  onside.shouldContinueTransaction = () => true;

  /** @type {[string, () => Promise<void>][]} */
  const actions = [
    ["login", async () => (storefront ? onside.logout() : onside.requestLogin())],
    ["restore", () => onside.restoreCompletedTransactions()],
    ["methods", () => onside.presentPaymentMethodsManager()],
  ];
  for (const [id, action] of actions) {
    const button = /** @type {HTMLButtonElement} */ (byId(id));
    button.addEventListener("click", () => whileBusy(button, action));
  }
  automatic.addEventListener("change", () => receive([...queue.values()]));
  appearance.addEventListener("change", () => {
    const theme = /** @type {"light" | "dark" | "system"} */ (appearance.value);
    document.documentElement.dataset.theme = theme;
    onside.setAppearance(theme);
  });
}

async function start() {
  if (!onside) {
    say("This shop runs inside its app: window.onside is missing.");
    return;
  }
  for (const { kind } of offers) byId(kind).append(element("li", "waiting"));
  await onside.initializeOnside("v1");
  listen();
  // One after the other: the journal of a run with a seed has them in the same order each time.
  storefront = await onside.getCurrentStorefront();
  showStorefront();
  receive(await onside.getTransactions());
  await loadProducts();
}

start().catch((error) => say(explanation(error)));

export {};
