import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';
import { temporaryRoot } from './temporary-root.ts';
import { isOpening } from './openings.ts';
import { createWorld } from './virtual-clock.ts';

const folder = mkdtempSync(join(temporaryRoot, 'tillside-copies-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('no simulated time passes while a start copies queue.db, whatever an earlier one has left', async () => {
  const path = join(folder, 'store', 'queue.db');
  mkdirSync(join(folder, 'store'));
  const former = await Database.open(path, { kind: 'precious', migrations: queueMigrations.slice(0, -1) });
  former.exec('CREATE TABLE filling (bytes BLOB)');
  former.exec('INSERT INTO filling VALUES (randomblob(30000000))');
  former.close();
  writeFileSync(`${path}.before-${String(queueMigrations.length)}.new`, 'left');

  const world = createWorld();
  world.holdWhile(isOpening);
  const tick = (): void => {
    world.after(1, tick);
  };
  tick();
  let openedAtMs: number | null = null;
  void Database.open(path, { kind: 'precious', migrations: queueMigrations }).then((database) => {
    openedAtMs = world.nowMs();
    database.close();
  });
  await world.runUntil(200);
  expect(openedAtMs).toBe(0);
});
