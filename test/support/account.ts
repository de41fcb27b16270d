import type { Page } from 'playwright-core';

/** Opens the header's one control, and chooses from it what a person can do there; `page` is in English. */
export async function fromAccount(
  page: Page,
  choice: 'Sign out' | 'Leave the practice store' | 'Lock the till' | RegExp,
): Promise<void> {
  await page.locator('.account').click();
  await page.getByRole('menuitem', { name: choice }).click();
}
