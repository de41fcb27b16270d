import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readListing } from '../../support/training-caller.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { makeShop, noServers, openBridge } from './shop.ts';

const pageBytes = 4096;

test('a damaged copy is made anew at the next start', async () => {
  const folder = temporaryDirectory();
  const { address } = await makeShop('sqlite', folder, noServers, 'damaged');
  const { bridge } = await openBridge(folder, address);
  await bridge.close();
  const path = join(folder, 'bridge', 'snapshot.db');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - pageBytes), 0, undefined, pageBytes);
  closeSync(file);
  const { caller, log } = await openBridge(folder, address);
  expect(log.join('')).toContain('snapshotDamaged');
  for (const asked of ['', 'term=cafe']) {
    expect(readListing(await caller.list(asked)).elements.length).toBeGreaterThan(0);
  }
});
