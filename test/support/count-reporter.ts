import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** A failure in one line: where it is, and what it says first. */
function failure(place: string, { message = '', stack = '' }: Partial<SerializedError>): string {
  const [first = ''] = message.split('\n');
  const frame = stack.split('\n').find((line) => line.includes('/test/') || line.includes('/app/'));
  return `FAILED: ${place}: ${first}${frame === undefined ? '' : ` (${frame.trim()})`}`;
}

/** What a file's suites could not do outside of their tests. */
function outsideOfTests(module: TestModule): readonly SerializedError[] {
  return [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
}

/**
 * Writes what became of a run's tests to a file: "passed failed skipped" in the first line, then a line for each failure. An
 * error that belongs to no test is a failure as well.
 */
export class CountReporter implements Reporter {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (wanted: string): number => tests.filter((test) => test.result().state === wanted).length;
    const failures = [
      ...tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => failure(`${test.module.relativeModuleId}: ${test.fullName}`, test.result().errors?.[0] ?? {})),
      ...modules.flatMap((module) => outsideOfTests(module).map((error) => failure(module.relativeModuleId, error))),
      ...unhandledErrors.map((error) => failure('outside of any test', error)),
    ];
    const passed = count('passed');
    writeFileSync(
      this.#path,
      [
        `${String(passed)} ${String(failures.length)} ${String(tests.length - passed - count('failed'))}`,
        ...failures,
        '',
      ].join('\n'),
    );
  }
}
