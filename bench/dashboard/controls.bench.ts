/** See controls.mjs, which drives the page in Chromium. */
import './controls.mjs';
