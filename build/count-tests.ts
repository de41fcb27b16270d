import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function read(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch (error) {
    console.error(`No report of the tests: ${error instanceof Error ? error.message : String(error)}`);
    return { testResults: [] };
  }
}

const [path = '', exitCode = '1'] = process.argv.slice(2);
const files = read(path).testResults;
const statuses = files.flatMap((file) => file.assertionResults.map(({ status }) => status));
const passed = statuses.filter((status) => status === 'passed').length;
const failedTests = files.flatMap(({ name, status, assertionResults }) => {
  const failures = assertionResults.filter((one) => one.status === 'failed');
  const names = failures.length === 0 && status === 'failed' ? ['(whole file)'] : failures.map((one) => one.fullName);
  return names.map((failure) => `FAILED: ${relative('.', name)}: ${failure}`);
});
for (const line of failedTests) {
  console.error(line);
}
const failed = failedTests.length === 0 && (exitCode !== '0' || passed === 0) ? 1 : failedTests.length;
console.log(passed, failed, statuses.filter((status) => status !== 'passed' && status !== 'failed').length);
