import { profileOf, sceneNowMs as nowMs, twoProfiles, queueBusy, manyUpdates } from '../scene-fixtures.ts';
import { settledUpdates } from '../scene-updates.ts';
import { at, shows, to, type ShownScene } from '../scene-steps.ts';

export const queueScenes: readonly ShownScene[] = [
  at(
    'queue',
    {
      queue: {
        ...queueBusy,
        heldBy: 'retry',
        nextTryAt: nowMs + 40_000,
        ofOthers: { count: 2, emails: ['bruno@example.com'], parked: 0 },
      },
    },
    async (page) => {
      await to(page, '#queue');
      await page.locator('.row-title').nth(1).waitFor();
    },
    { updates: manyUpdates },
  ),
  at(
    'queue-elsewhere',
    {
      profiles: twoProfiles,
      queue: {
        ...queueBusy,
        ofKept: { count: 3, emails: ['bruno@example.com'] },
        elsewhere: [
          {
            platformUrl: 'https://shop.example.com',
            companyId: profileOf(2, null, null, 3).companyId,
            count: 74,
            emails: ['ana@example.com'],
          },
        ],
      },
    },
    async (page) => {
      await to(page, '#queue');
      await page.locator('.row-title').nth(1).waitFor();
    },
    { updates: manyUpdates },
  ),
  at('queue-parked', { queue: queueBusy }, async (page) => {
    await to(page, '#queue');
    // Few rows: where a list that was scrolled stands depends on how high its rows were in other languages.
    await page.locator('.search-line input').first().fill('Camiseta');
    await page.getByRole('button', { name: 'Keep ON' }).waitFor();
  }),
  at(
    'queue-history',
    {},
    async (page) => {
      await to(page, '#queue');
      await page.getByRole('listitem').first().getByText('History', { exact: true }).click();
      await page.locator('.attempts > li').nth(2).waitFor();
    },
    // Few rows, as above.
    { updates: settledUpdates.slice(0, 2) },
  ),
  at('queue-discarded', { queue: queueBusy }, async (page) => {
    await to(page, '#queue');
    await page.locator('.row-actions').getByRole('button', { name: 'Discard' }).first().click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  }),
  at('queue-empty', {}, shows('.empty', '#queue'), { updates: [] }),
];
