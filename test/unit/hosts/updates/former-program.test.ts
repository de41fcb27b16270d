import { existsSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  bringBackFormer,
  forgetFormer,
  formerOf,
  replaceProgram,
  watchNewProgram,
} from '../../../../app/hosts/updates/former-program.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

function replaced(): { readonly place: string; readonly fetched: string } {
  const folder = temporaryDirectory();
  const [place, fetched] = [join(folder, 'Tillside.AppImage'), join(folder, 'fetched')];
  writeFileSync(place, 'old');
  writeFileSync(fetched, 'new');
  replaceProgram(fetched, place);
  return { place, fetched };
}

test('the former program stays beside the new one until that has answered (U10)', () => {
  const { place } = replaced();
  expect(readFileSync(place, 'utf8')).toBe('new');
  expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
  if (process.platform !== 'win32') {
    expect(statSync(place).mode & 0o111).toBe(0o111);
  }
  expect(forgetFormer(place)).toBe(true);
  expect(existsSync(formerOf(place))).toBe(false);
  expect(forgetFormer(place)).toBe(false);
});

test('the program that has answered once is the one that is kept, over two updates', () => {
  const { place, fetched } = replaced();
  writeFileSync(fetched, 'newest');
  replaceProgram(fetched, place);
  expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
  bringBackFormer(place);
  expect(readFileSync(place, 'utf8')).toBe('old');
  expect(existsSync(formerOf(place))).toBe(false);
});

test('what cannot be put in place leaves the program as it was', () => {
  const folder = temporaryDirectory();
  const place = join(folder, 'Tillside.AppImage');
  mkdirSync(place);
  writeFileSync(join(folder, 'fetched'), 'new');
  linkSync(join(folder, 'fetched'), join(folder, 'other'));
  expect(() => {
    replaceProgram(join(folder, 'fetched'), place);
  }).toThrow(/EISDIR|EPERM|EACCES/);
  expect(statSync(place).isDirectory()).toBe(true);
  expect(existsSync(join(folder, '.Tillside.AppImage.new'))).toBe(false);
});

test('a new program that ends badly before it has answered has failed; one in order is left', async () => {
  const clock = createManualClock();
  const { place } = replaced();
  expect(await watchNewProgram(place, Promise.resolve(false), clock)).toBe('failed');
  expect(await watchNewProgram(place, Promise.resolve(true), clock)).toBe('left');
  forgetFormer(place);
  expect(await watchNewProgram(place, Promise.resolve(false), clock)).toBe('answered');
});

test('a new program that runs is waited for, two minutes at most', async () => {
  const clock = createManualClock();
  const { place } = replaced();
  const runs = new Promise<boolean>(() => undefined);
  const silent = watchNewProgram(place, runs, clock);
  await clock.advance(121_000);
  expect(await silent).toBe('left');
  const answers = watchNewProgram(place, runs, clock);
  await clock.advance(10_000);
  forgetFormer(place);
  await clock.advance(1000);
  expect(await answers).toBe('answered');
});
