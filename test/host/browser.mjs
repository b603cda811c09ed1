// The headless browser in which an npm-hosted VS Code shows its workbench.
import { chromium } from 'playwright-core';
import { installedBrowser } from './places.mjs';

// No sandbox because tests often run as root in a container; no background traffic because tests need none.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launchBrowser = () => chromium.launch({ executablePath: installedBrowser(), args });
