/** The page as it ships, and its charting library within reach of the tests. */
import { Chart } from 'chart.js';
import '../../webview/main';

Object.assign(window, { Chart });
