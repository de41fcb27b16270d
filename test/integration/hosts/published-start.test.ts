// The proof over whole starts that the shop's file at its address sets a terminal up once, and not before it was kept.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJsonFile, type JsonFile } from '../../../app/hosts/node/settings-file.ts';
import { parseProvision } from '../../../app/hosts/provisioning/file.ts';
import { setUpBy } from '../../../app/hosts/provisioning/set-up.ts';
import type { PublishedFile, SetUpOptions } from '../../../app/hosts/set-up.ts';
import { startTerminal, type StartOptions } from '../../../app/hosts/start.ts';
import { publicKeyOf, signText } from '../../../build/sign-feed.ts';
import { plainStart } from '../../support/plain-start.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { newSigningKey } from '../../support/update-server.ts';
import { valueOf } from '../../support/value-of.ts';

/** A machine whose shop has published one file, which is due until it is noted as used. */
function openMachine() {
  const dataDirectory = temporaryDirectory();
  const source = { url: 'https://127.0.0.1:9/centro.json', publicKey: publicKeyOf(newSigningKey()), shop: 'Centro' };
  const signed = { at: '2026-11-28T00:00:00Z', until: '2027-11-28T00:00:00Z' };
  const connection = { platformUrl: 'http://127.0.0.1:9', clientId: 'till', companyId: 1, stockIds: [1] };
  const text = JSON.stringify({ ...connection, source, signed, settings: { theme: 'dark' } });
  const file = valueOf(parseProvision(text, 'address'));
  const machine = { isFull: false, isUsed: false };
  const published: PublishedFile = {
    kept: () => ({ file, isDue: !machine.isUsed }),
    wasUsed: () => machine.isUsed,
    noteUsed: () => {
      machine.isUsed = true;
    },
    state: () => ({ ...source, readAt: null, signedAt: null, isWaiting: false, lastReading: 'none' }),
    readAgain: () => Promise.resolve(),
    begin: () => undefined,
    close: () => undefined,
  };
  /** Of which a block is too much, where the other file still finds room. */
  const open = (options: Parameters<typeof openJsonFile>[0]): JsonFile => {
    const kept = openJsonFile(options);
    return {
      get: kept.get,
      set: (key, value) => {
        if (machine.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        kept.set(key, value);
      },
    };
  };
  open({ cwd: dataDirectory, name: 'settings' }).set('device', { source });
  /** The theme after one start. */
  const start = async (): Promise<string> => {
    const started = await startTerminal({
      ...plainStart,
      dataDirectory,
      setUp: {
        file: null,
        isFileLasting: false,
        choicesOf: () => ({}),
        openPublished: () => published,
        readFile: () => expect.fail('nobody opens a file'),
      },
      openJsonFile: open,
    });
    onTestFinished(() => started.close().catch(() => undefined));
    const { theme } = valueOf(await started.terminal.handlers['terminal:read']({}));
    await started.close();
    return theme;
  };
  return { machine, start };
}

test('what a disk has refused of the file is set up again at the next start, and what it has kept is not', async () => {
  const { machine, start } = openMachine();
  machine.isFull = true;
  expect(await start()).toBe('dark');
  expect(machine.isUsed).toBe(false);
  machine.isFull = false;
  expect(await start()).toBe('dark');
  expect(machine.isUsed).toBe(true);
  expect(await start()).toBe('dark');
});

const dayMs = 24 * 3_600_000;
const url = 'https://127.0.0.1:9/centro.json';
const connection = { platformUrl: 'http://127.0.0.1:9', clientId: 'till', companyId: 1, stockIds: [1] };

/** A machine on which a file is named for every start; `keep` has it find a newer one of the shop's, as it comes. */
function openNamed(named: object) {
  const dataDirectory = temporaryDirectory();
  let kept = 0;
  const start = async (
    fields: object = named,
    more: Partial<StartOptions> = {},
    isProvisionLasting = true,
  ): Promise<string> => {
    const file = valueOf(parseProvision(JSON.stringify({ ...connection, clientSecret: 'x', ...fields })));
    const choicesOf: SetUpOptions['choicesOf'] = ({ source }) => (source === undefined ? {} : { source });
    const started = await startTerminal({
      ...plainStart,
      ...more,
      dataDirectory,
      setUp: setUpBy(file, { isProvisionLasting }, choicesOf),
    });
    onTestFinished(() => started.close().catch(() => undefined));
    const { theme } = valueOf(await started.terminal.handlers['terminal:read']({}));
    await started.close();
    return theme;
  };
  const keep = (privateKey: string, fields: object): void => {
    kept += 1;
    const [at, until] = [kept * 1000, 50 * dayMs].map((fromNow) => new Date(Date.now() - dayMs + fromNow));
    const text = JSON.stringify({ ...connection, signed: { at, until }, ...fields });
    const signature = signText(text, privateKey);
    writeFileSync(join(dataDirectory, 'provisioning.json'), JSON.stringify({ url, text, signature }));
  };
  return { start, keep };
}

const [first, second] = [newSigningKey(), newSigningKey()];
const sourceOf = (...keys: readonly string[]) => ({ url, publicKey: keys.map(publicKeyOf), shop: 'Centro' });
const [light, dark] = [{ theme: 'light' }, { theme: 'dark' }];

test('a start that leaves the shop’s file alone undoes nothing of it by one that is named for every start', async () => {
  const source = sourceOf(first);
  const { start, keep } = openNamed({ source, settings: light });
  expect(await start()).toBe('light');
  keep(first, { source, settings: dark });
  const safe: Partial<StartOptions> = { isSafeMode: true };
  expect(await start(undefined, safe)).toBe('light');
  expect(await start()).toBe('dark');
  expect(await start(undefined, safe)).toBe('dark');
  expect(await start()).toBe('dark');
});

test('what the shop’s file says of its source holds, until one that is named for every start says another', async () => {
  const named = { source: sourceOf(first), settings: light };
  const { start, keep } = openNamed(named);
  await start();
  keep(first, { source: sourceOf(second), settings: dark });
  expect(await start()).toBe('dark');
  keep(second, { source: sourceOf(second), settings: light });
  expect(await start()).toBe('light');
  keep(first, { source: sourceOf(first), settings: dark });
  expect(await start()).toBe('light');
  // The key is lost, and the file that is named has another one.
  const third = newSigningKey();
  const other = { ...named, source: sourceOf(third) };
  keep(third, { source: sourceOf(third), settings: dark });
  expect(await start(other)).toBe('dark');
  expect(await start(other)).toBe('dark');
});

test('what one start was told of the source holds beside a file that is named for every start', async () => {
  const { start, keep } = openNamed({ source: sourceOf(first), settings: light });
  await start();
  await start({ source: sourceOf(second) }, {}, false);
  // Nothing of it has come yet.
  for (const _start of [1, 2]) {
    expect(await start()).toBe('light');
  }
  keep(second, { source: sourceOf(second), settings: dark });
  expect(await start()).toBe('dark');
});

test('another source that a full disk has not kept is taken once there is room', async () => {
  const named = { source: sourceOf(first), settings: light };
  const { start, keep } = openNamed(named);
  await start();
  keep(first, { ...named, settings: dark });
  expect(await start()).toBe('dark');
  const other = { ...named, source: sourceOf(second) };
  await start(other, {
    openJsonFile: (options) => {
      const { get, set } = openJsonFile(options);
      return {
        get,
        set: (key, value) => {
          if (key === 'device') throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
          set(key, value);
        },
      };
    },
  });
  keep(second, { ...other, settings: light });
  expect(await start(other)).toBe('light');
});

test('the first file that is named for every start counts, though another has said a source before', async () => {
  const named = { source: sourceOf(first), settings: light };
  const { start, keep } = openNamed(named);
  await start(named, {}, false);
  await start(named, {}, false);
  const other = { ...named, source: sourceOf(second) };
  keep(second, { ...other, settings: dark });
  expect(await start(other)).toBe('dark');
});
