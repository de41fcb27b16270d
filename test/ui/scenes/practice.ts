import { practice, queueBusy } from '../scene-fixtures.ts';
import { at, shows, type ShownScene } from '../scene-steps.ts';
import { help } from './help.ts';

export const practiceScenes: readonly ShownScene[] = [
  at('practice', { ...practice, queue: queueBusy }, shows('.finder-input')),
  at('tour', practice, async (page) => {
    await help()(page);
    await page.getByRole('dialog').getByRole('button', { name: /tour/i }).click();
    await page.locator('.tour').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }),
];
