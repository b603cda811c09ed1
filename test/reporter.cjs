// Mocha's usual output, and beside it a file with the counts for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class CountingReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failed.push({ title: test.fullTitle(), message: error.message }),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = runner.stats;
      const file = process.env.MESHLENS_TEST_COUNTS;
      if (file !== undefined) writeFileSync(file, JSON.stringify({ passes, failures, pending, failed }));
    });
  }
};
