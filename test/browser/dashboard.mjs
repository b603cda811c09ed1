// A dashboard in a browser, for checks and screenshots.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../host/browser.mjs';
import { repositoryRoot } from '../host/places.mjs';
import { buildPage } from './build.mjs';
import { servePage } from './server.mjs';

export const themes = ['vscode-dark', 'vscode-light', 'vscode-high-contrast', 'vscode-high-contrast-light'];

/** @param {string} name of a file in test/fixtures/dashboard */
export function readState(name) {
  return JSON.parse(readFileSync(path.join(repositoryRoot, 'test/fixtures/dashboard', `${name}.json`), 'utf8'));
}

/** Sends a snapshot as the extension does, and waits until it is drawn. */
export async function show(page, state) {
  await page.evaluate(next => {
    document.body.removeAttribute('data-meshlens');
    window.postMessage({ type: 'state', state: next }, '*');
  }, state);
  await page.waitForSelector('body[data-meshlens="ready"]');
}

/** Shows another page of the dashboard. @param {import('playwright-core').Page} page @param {string} id */
export async function goTo(page, id) {
  await page.click(`#tab-${id}`);
  await page.waitForSelector(`#page-${id}:not([hidden])`);
}

/** The pages that the dashboard has. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
export const pageIds = page =>
  page.evaluate(() => [...document.querySelectorAll('[role="tab"]')].map(tab => tab.dataset.target));

/** Builds the page once and opens it as often as is wanted. */
export async function startDashboards() {
  await buildPage();
  return openDashboards();
}

/** The same for a page that is built, in a browser of its own. */
export async function openDashboards() {
  const server = await servePage();
  const browser = await launchBrowser();
  return {
    open: async ({ state, at, theme = 'vscode-dark', language = 'en', width = 1100, height = 900, scale = 1 }) => {
      const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale });
      const page = await context.newPage();
      page.errors = [];
      page.on('pageerror', error => page.errors.push(error.message));
      await page.goto(`${server.url}?theme=${theme}&language=${language}`);
      await page.waitForFunction(() => window.sent?.some(({ type }) => type === 'ready'));
      if (state) await show(page, state);
      if (at) await goTo(page, at);
      return page;
    },
    /** The page of the lecture, with its first demonstration asked for. */
    openLecture: async ({ theme = 'vscode-dark', width = 1000, reducedMotion = 'no-preference', clock = false }) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion });
      const page = await context.newPage();
      if (clock) await page.clock.install();
      page.errors = [];
      page.on('pageerror', error => page.errors.push(error.message));
      await page.goto(`${server.url}lecture?theme=${theme}`);
      await page.waitForFunction(() => window.sent?.some(({ type }) => type === 'wanted'));
      return page;
    },
    closePages: async () => {
      for (const context of browser.contexts()) await context.close();
    },
    stop: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

/** What a search is asked for where nobody has touched its goal. */
export const plainSearch = {
  freeBatch: false,
  objective: 'throughput',
  tokens: null,
  deadline: null,
  criticalBatch: null,
  scale: null,
};

/** A search's snapshot whose recommended layout has a price, a length of training and a footprint. */
export function priced(state) {
  const copy = structuredClone(state);
  copy.search.document.recommended.training = {
    trainingSeconds: 864000,
    cost: 12345,
    costPerMillionTokens: 0.25,
    meetsDeadline: false,
  };
  copy.search.document.footprint = { kilowattHours: 1000, kilogramsCo2: 400, litresWater: null };
  return copy;
}
