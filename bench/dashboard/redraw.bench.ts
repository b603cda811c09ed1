/** See redraw.mjs, which drives the page in Chromium. */
import './redraw.mjs';
