/** Amounts of money: whole minor units of a currency, as people write them. */

/** @param {string} currency such as "USD" */
const formatOf = (currency) => new Intl.NumberFormat(undefined, { style: "currency", currency });

/** How many decimals a currency has. */
export const decimals = (currency) => formatOf(currency).resolvedOptions().maximumFractionDigits;

/** @param {number} amount in minor units @param {string} currency */
export const money = (amount, currency) => formatOf(currency).format(amount / 10 ** decimals(currency));
