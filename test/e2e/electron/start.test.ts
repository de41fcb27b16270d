// What a start loads of Node, in real Electron.
import { expect, test } from 'vitest';
import { launchElectron, whyNoElectron } from '../../support/electron.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test.skipIf(whyNoElectron() !== null)('a start loads none of what nobody asks Node for', async () => {
  const session = await launchElectron(['--data-dir', temporaryDirectory(), '--lang', 'en']);
  try {
    await session.page.getByRole('main').waitFor({ timeout: 20_000 });
    const loaded = await session.application.evaluate(
      () => Reflect.get(process, 'moduleLoadList') as readonly string[],
    );
    // The control.
    expect(loaded).toContain('NativeModule https');
    expect(loaded.filter((name) => /undici|http2/.test(name))).toEqual([]);
  } finally {
    await session.kill();
  }
});
