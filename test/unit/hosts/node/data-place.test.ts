import { expect, test } from 'vitest';
import { noteDataPlace } from '../../../../app/hosts/node/data-place.ts';
import type { JsonFile } from '../../../../app/hosts/node/settings-file.ts';

function memoryFile(kept: unknown): JsonFile {
  const document: Record<string, unknown> = { dataPlace: kept };
  return {
    get: (key: string) => document[key],
    set: (key: string, value: unknown) => {
      document[key] = value;
    },
  };
}

test('each place before is known, the last first, and also of a file that knew one', () => {
  const file = memoryFile({ now: '/b', before: '/a' });
  expect(noteDataPlace(file, '/c')).toEqual(['/b', '/a']);
  expect(noteDataPlace(file, '/c')).toEqual(['/b', '/a']);
  expect(noteDataPlace(file, '/a')).toEqual(['/c', '/b']);
});

test('a folder that was never moved has no place before', () => {
  expect(noteDataPlace(memoryFile(undefined), '/a')).toEqual([]);
  expect(noteDataPlace(memoryFile({ now: '/a', before: null }), '/a')).toEqual([]);
});
