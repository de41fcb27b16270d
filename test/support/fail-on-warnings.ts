import { afterEach, expect } from 'vitest';
// A module of its own, for this one runs anew for each file, also where several files share a process.
import { complaints } from './complaints.ts';

afterEach(() => {
  expect(complaints.splice(0), 'nothing may be written to console.error, console.warn or as a process warning').toEqual(
    [],
  );
});
