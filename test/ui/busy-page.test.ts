import { describe, expect, it } from 'vitest';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import { inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { createKeyboard } from './scan-bench.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();
const code = '789123456789012345678901';
const gapMs = 15;
const heldUpMs = 400;

/**
 * Has the page do nothing else, from the given key on, until a request is answered. Runs in the page, before the app.
 */
function holdUpAt(place: number): void {
  let left = place;
  window.addEventListener(
    'keydown',
    () => {
      left -= 1;
      if (left === 0) {
        setTimeout(() => {
          const request = new XMLHttpRequest();
          request.open('GET', '/held-up', false);
          request.send();
        });
      }
    },
    true,
  );
}

const ends = [
  { terminator: 'enter', key: 'Enter' },
  { terminator: 'tab', key: 'Tab' },
  { terminator: 'enterOrTab', key: null },
  { terminator: 'none', key: null },
] as const;

describe.each(ends)(
  'a page that is held up within a scan that ends with $key, by a scanner set to "$terminator",',
  ({ terminator, key }) => {
    it.each([2, 9])('hears it whole and answers it once, after %i keys', async (before) => {
      // A page that is held up so is told to be a bad one, and the policy allows no requests.
      const { page } = await stage.open(
        {
          state: readyState(nowMs, { scanner: { ...defaultScanner, terminator }, sounds: { isOn: false, volume: 0 } }),
          nowMs,
        },
        undefined,
        { mayComplain: true, context: { bypassCSP: true }, isOwn: true },
      );
      await page.addInitScript(holdUpAt, before);
      await page.reload();
      await page.getByRole('main').waitFor();
      const startMs = Date.now();
      const keyboard = createKeyboard(await page.context().newCDPSession(page), startMs);
      const sent = Promise.withResolvers<void>();
      await page.route('**/held-up', async (route) => {
        Array.from(code.slice(before)).forEach((name) => keyboard.key(name, gapMs));
        if (key !== null) {
          keyboard.key(key, gapMs);
        }
        // All of them have been pressed by then, and the page's timers are long due.
        await new Promise((resolve) =>
          setTimeout(resolve, Math.max(heldUpMs, startMs + (code.length + 2) * gapMs - Date.now())),
        );
        await route.fulfill({ body: '' });
        sent.resolve();
      });
      Array.from(code.slice(0, before)).forEach((name) => keyboard.key(name, gapMs));
      await sent.promise;
      await keyboard.settle();
      const finds = async () => (await inputsOf(page, 'lookup:find')).map(({ text }) => text);
      await expect.poll(finds).not.toEqual([]);
      keyboard.key('F13', 3_600_000);
      await keyboard.settle();
      expect(await finds()).toEqual([code]);
      await expect.poll(() => page.getByRole('textbox', { name: 'Barcode, code or name' }).inputValue()).toBe(code);
    });
  },
);
