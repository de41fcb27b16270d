import { signedOut } from '../fixtures.ts';
import { at, shows, type ShownScene } from '../scene-steps.ts';

export const supportScenes: readonly ShownScene[] = [
  at('support-dialog', signedOut, async (page) => {
    await page.getByRole('button', { name: 'Support' }).click();
    await page.getByRole('dialog').getByText('24.21.0').waitFor();
  }),
  at('safe-mode', { isSafeMode: true }, shows('.finder-input')),
];
