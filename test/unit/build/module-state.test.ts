// The files of a project share processes (test/support/leave-no-trace.ts): what a module keeps, one of them would find as
// another has left it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDirectory } from '../../../build/project.ts';

/** Each holds what follows from its key alone, or what ends with its object, its process or its test. */
const known = [
  'app/domain/codes/gs1.ts: formats',
  'app/domain/json.ts: writtenIn',
  'app/domain/loose-json.ts: keysByName',
  'app/main.ts: isUnprotected',
  'app/platform/agents.ts: transports',
  'app/preload.ts: waitingLength',
  'app/service/date-times.ts: zones',
  'app/service/openapi/openapi-schemas.ts: openSchema',
  'app/storage/instance-lock.ts: held',
  'renderer/dom/clock.ts: isResting',
  'renderer/dom/clock.ts: listeners',
  'renderer/dom/clock.ts: now',
  'renderer/dom/clock.ts: timer',
  'renderer/dom/clock.ts: usedAtMs',
  'renderer/help/help-pages.ts: begun',
  'test/support/child.ts: running',
  'test/support/complaints.ts: complaints',
  'test/support/leave-no-trace.ts: additionsBefore',
  'test/support/packaged.ts: copies',
  'test/support/packaged.ts: drivable',
];

/** Variables of a module, and constants that begin empty, for those are filled later. */
function stateOf(source: string): string[] {
  const variables = source.matchAll(/^(?:export )?let (\w+)/gm);
  const empty = source.matchAll(
    /^(?:export )?const (\w+)(?:: (?!Readonly|readonly)[^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|\[\]|\{\});/gm,
  );
  return [...variables, ...empty].map(([, name = '']) => name);
}

test('no module but these keeps anything from one test to the next', () => {
  const files = globSync(['app/**/*.{ts,tsx}', 'renderer/**/*.{ts,tsx}', 'test/support/**/*.ts'], {
    cwd: projectDirectory,
  }).map((file) => file.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    stateOf(readFileSync(join(projectDirectory, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found.toSorted()).toEqual(known);
});

test('the search sees variables and what begins empty, and leaves tables and unwritable types alone', () => {
  expect(stateOf('let count = 0;\nexport let last: string;\n  let inner = 1;')).toEqual(['count', 'last']);
  expect(stateOf('const a = new Map<string, Map<string, 1>>();\nexport const b: number[] = [];')).toEqual(['a', 'b']);
  expect(
    stateOf("const a = new Set(['x']);\nconst b: readonly Id[] = [];\nconst c: ReadonlySet<1> = new Set();"),
  ).toEqual([]);
});
