import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { succeed } from '../../../app/domain/result.ts';
import { platformLimit } from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { createNodeClock } from '../../../app/hosts/node/node-ports.ts';
import { openTerminal } from '../../../app/terminal/terminal.ts';
import { startTrainingPlatform } from '../../../app/training/server.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { makeSettingsFile, makeShell, makeVault } from '../../support/ports.ts';
import { makePorts } from '../../support/real-ports.ts';

test('with all slots busy from the run before, the till opens at once and says that it knows its store', async () => {
  const directory = temporaryDirectory();
  const clock = createNodeClock();
  mkdirSync(join(directory, 'practice'));
  const database = await openQueueDatabase(join(directory, 'practice'));
  const log = openSendLog(database, 'https://platform.example.com');
  for (let slot = 0; slot < platformLimit; slot += 1) {
    log.take('catalogue', clock.uptimeMs());
  }
  database.close();

  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 50 });
  const ports = makePorts({
    clock,
    vault: makeVault(true),
    settingsFile: makeSettingsFile({ mode: 'practice' }),
    shell: makeShell(directory, { startPractice: () => Promise.resolve(platform) }),
  });
  const terminal = await openTerminal(ports);
  onTestFinished(async () => {
    await terminal.close();
    await platform.close();
  });
  expect(await terminal.handlers['terminal:read']({})).toMatchObject(
    succeed({ phase: 'ready', mode: 'practice', session: { state: 'signedOut' }, rateLimit: { used: platformLimit } }),
  );
  expect(platform.arrivals()).toEqual([]);
});
