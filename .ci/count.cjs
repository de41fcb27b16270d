// Owns the counting of a test run for .ci/run: reads vitest's JSON report and prints "passed failed skipped". A file that
// could not be loaded, a report that is missing, and a run that ended badly without a failed test count as one failure each.
// Plain CommonJS, so that any Node runs it. Never trusts the report's own totals alone.
const { readFileSync } = require('node:fs');

/** Counts every test of the report by what became of it. */
function count(report, exitCode) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      totals[test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped'] += 1;
    }
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) {
      totals.failed += 1;
    }
  }
  if (totals.failed === 0 && (exitCode !== 0 || totals.passed === 0)) {
    totals.failed += 1;
  }
  return totals;
}

let report = { testResults: [] };
try {
  report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
} catch (error) {
  process.stderr.write(`No report of the tests: ${error.message}\n`);
}
const { passed, failed, skipped } = count(report, Number(process.argv[3]));
process.stdout.write(`${passed} ${failed} ${skipped}\n`);
