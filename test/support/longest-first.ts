import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Alone at the end, each of these would leave all workers but one with nothing to do. */
const longest = [
  '/test/ui/everyone.test.ts',
  '/test/seeds/fifty-tills.test.ts',
  '/test/endurance/start-kill.test.ts',
  '/test/endurance/week/week.test.ts',
  '/test/endurance/kill.test.ts',
  '/test/walk/walk.test.ts',
  '/test/integration/servers/hub/tills.test.ts',
  '/test/ui/entry.test.ts',
  '/test/simulation/hub/many-tills.test.ts',
  '/test/ui/scan-fuzz.test.ts',
];

/** Starts the files that take longest before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
