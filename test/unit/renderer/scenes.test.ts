import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const project = join(import.meta.dirname, '../../..');

it('the scenes of a feature are in the file named after its folder', () => {
  const folders = readdirSync(join(project, 'renderer'));
  const files = readdirSync(join(project, 'test/ui/scenes')).map((name) => name.replace(/\.ts$/, ''));
  expect(files.filter((name) => !folders.includes(name))).toEqual([]);
});
