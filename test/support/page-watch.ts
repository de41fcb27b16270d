import type { Page } from 'playwright-core';

export interface PageWatch {
  /** Every complaint so far, in order; empty is what a test wants. */
  readonly complaints: readonly string[];
}

/** Listens to the page from now on. */
export function watchPage(page: Page): PageWatch {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('crash', () => complaints.push('the page crashed'));
  return { complaints };
}
