// What the checks of the dashboard share.

/** @typedef {Awaited<ReturnType<typeof import('./dashboard.mjs').startDashboards>>} Dashboards */
/** @typedef {import('playwright-core').Page} Page */

/** @type {{title: string, run: (dashboards: Dashboards) => Promise<void>}[]} */
export const checks = [];

/** @param {string} title @param {(dashboards: Dashboards) => Promise<void>} run throws where a promise is broken */
export const check = (title, run) => checks.push({ title, run });

/** @param {Page} page @param {string} selector */
export const text = async (page, selector) =>
  (await page.locator(selector).innerText()).replace(/[\u00a0\u202f]/g, ' ');

/** What the page has sent to its host. @param {Page} page */
export const sent = page => page.evaluate(() => window.sent);
