import { readFileSync } from 'node:fs';

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
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
const broken = files.filter(
  (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
).length;
const told = statuses.filter((status) => status === 'failed').length + broken;
const failed = told === 0 && (exitCode !== '0' || passed === 0) ? 1 : told;
console.log(passed, failed, statuses.filter((status) => status !== 'passed' && status !== 'failed').length);
