import { expect, test } from 'vitest';
import { reportHub } from '../simulation/hub/report-hub.ts';

test('fifty tills that share a hub hold its rules through faults', async () => {
  const { violations, requests, crashes } = await reportHub({ seed: 3, terminals: 50 });
  expect(violations).toEqual([]);
  // A world without work or faults proves nothing.
  expect(requests).toBeGreaterThan(1_500);
  expect(crashes).toBeGreaterThan(5);
});
