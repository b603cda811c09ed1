/** Properties are tried with the same inputs in every run of the tests; `npm run soak properties` seeks new ones. */
const fc = require('fast-check');

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
