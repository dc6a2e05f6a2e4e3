/**
 * @param {JSPrice} price
 * @returns {string} the price as the browser's language writes it
 */
function priceText({ value, currencyCode }) {
  try {
    return new Intl.NumberFormat(navigator.language, { style: "currency", currency: currencyCode }).format(value);
  } catch {
    return `${value} ${currencyCode}`;
  }
}

/**
 * @param {JSPeriod} period
 * @returns {string} such as "1 month"
 */
const periodText = ({ unit, numberOfUnits }) =>
  new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(numberOfUnits);

/**
 * @param {JSPeriod} [period] - of a subscription
 * @returns {string} such as "per month"; nothing for a purchase
 */
function rhythmText(period) {
  if (!period) return "";
  return period.numberOfUnits === 1 ? `per ${period.unit}` : `every ${periodText(period)}`;
}

/**
 * @param {{countryCode: string}} storefront
 * @returns {string} the name of the country, or its code where the browser knows no name
 */
function countryText({ countryCode }) {
  try {
    return new Intl.DisplayNames("en", { type: "region" }).of(countryCode) ?? countryCode;
  } catch {
    return countryCode;
  }
}
