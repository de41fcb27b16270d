import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { projectDirectory } from '../../../build/project.ts';

// Each line: "i/lf    w/lf    attr/text=auto eol=lf \tPATH"; the ends of lines that are kept, that are here, and the rule.
const { status, stdout } = spawnSync('git', ['ls-files', '--eol'], { cwd: projectDirectory, encoding: 'utf8' });

it('every text is kept and checked out with the same bytes on every system', ({ skip }) => {
  skip(status !== 0, 'no git');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('i/lf')).length).toBeGreaterThan(500);
  expect(
    lines.filter(
      (line) =>
        !/^i\/(?:lf|none) +w\/(?:lf|none) +attr\/text=auto eol=lf/.test(line) &&
        !/^i\/-text +w\/-text +attr\/-text.*\.(?:png|ico|icns|woff2)$/.test(line),
    ),
  ).toEqual([]);
});
