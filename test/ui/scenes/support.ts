import { signedOut } from '../fixtures.ts';
import { at, shows, to, value, type ShownScene } from '../scene-steps.ts';

/** What the check of a platform found, in the kit's own words. */
export const checkedPlatform = value({
  state: 'ended',
  endedAt: Date.parse('2026-03-02T11:40:00Z'),
  lines: [
    {
      id: '7:status',
      verdict: 'broken',
      title: 'Statuses are those of the document, and nothing fails',
      why: 'The platform failed with 500.',
    },
    {
      id: '4.3:order-name',
      verdict: 'broken',
      title: 'order_by_field=name sorts by name',
      why: 'The order by name is another one.',
    },
    { id: '8:window', verdict: 'untold', title: '60 requests a minute are let through, and no more', why: null },
    { id: '4.3:shape', verdict: 'kept', title: 'The listing answers data.stock_products and meta', why: null },
  ],
  file: { name: 'tillside-platform-2026-03-02-11-40.txt', text: 'a made-up report' },
});

export const supportScenes: readonly ShownScene[] = [
  at('support-dialog', signedOut, async (page) => {
    await page.getByRole('button', { name: 'Support' }).click();
    await page.getByRole('dialog').getByText('24.21.0').waitFor();
  }),
  at(
    'platform-checked',
    {},
    async (page) => {
      await to(page, '#settings/support');
      const lines = page.locator('summary', { hasText: /^(?:Line by line|Línea por línea|Linha por linha)$/ });
      await lines.click();
      await lines.scrollIntoViewIfNeeded();
    },
    { answers: { 'platformCheck:read': checkedPlatform } },
  ),
  at('safe-mode', { isSafeMode: true }, shows('.finder-input')),
];
