// What nobody caught in the main process holds up no till: Electron's own dialog for it would, until somebody closes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchElectronForTest, whyNoElectron } from '../../support/electron.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { cardOf, findBarcode, invoke } from '../story.ts';

test.skipIf(whyNoElectron() !== null)(
  'an error that nobody caught is logged without secrets, and the till goes on',
  async () => {
    const dataDirectory = temporaryDirectory();
    const { application, page, close, ended } = await launchElectronForTest(['--training'], { dataDirectory });
    await page.getByRole('main', { name: 'Lookup' }).waitFor();
    await application.evaluate(async () => {
      setTimeout(() => {
        throw new Error('thrown with access_token=abc123secret');
      });
      setTimeout(() => void Promise.reject(new Error('rejected')));
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    const { name } = await findBarcode(page, 'caf');
    const toggle = cardOf(page, name).getByRole('switch', { name: 'Consumption coupon' });
    const isOn = await toggle.isChecked();
    await toggle.click();
    await expect
      .poll(() => invoke(page, 'terminal:read'), { timeout: 20_000 })
      .toMatchObject({ value: { queue: { delivered: 1 } } });
    expect(await toggle.isChecked()).toBe(!isOn);
    const log = readFileSync(join(dataDirectory, 'logs', 'tillside.log'), 'utf8');
    expect(log).toMatch(
      /"level":"error","message":"nobody caught an error".*thrown with access_token=\[redacted\].*\\n +at /,
    );
    expect(log).toMatch(/"level":"error","message":"nobody caught an error".*Error: rejected.*\\n +at /);
    expect(log).not.toContain('abc123secret');
    await close();
    expect(await ended).toBe(0);
  },
);
