// The modules that a start loads and runs, in real Electron and in what is built for it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { launchElectronForTest, whyNoElectron } from '../../support/electron.ts';

test.skipIf(whyNoElectron() !== null)('a start loads none of what nobody asks Node for', async () => {
  const { page, application } = await launchElectronForTest();
  await page.getByRole('main').waitFor({ timeout: 20_000 });
  const loaded = await application.evaluate(() => Reflect.get(process, 'moduleLoadList') as readonly string[]);
  // The control.
  expect(loaded).toContain('NativeModule https');
  expect(loaded.filter((name) => /undici|http2/.test(name))).toEqual([]);
});

test('no schema is made before zod is told to write no code', () => {
  const parts = readFileSync(resolve(import.meta.dirname, '../../../dist/main-parts.js'), 'utf8');
  const [reported, made] = [parts.indexOf('jitless: true'), parts.search(/^var \w+Schema\S* = (?:strictO|o)bject\(/m)];
  expect(reported).toBeGreaterThan(0);
  expect(made).toBeGreaterThan(reported);
});
