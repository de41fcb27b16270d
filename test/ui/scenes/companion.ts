import type { Page, Locator } from 'playwright-core';
import { defaultCompanion } from '../../../app/contract/companion.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { signedOut } from '../fixtures.ts';
import { coffee, hits } from '../scene-fixtures.ts';
import { ask, at, value, type More, type ShownScene } from '../scene-steps.ts';
import { find, sharedCode } from './lookup.ts';

/** The companion bar's page, as large as its window may become. */
const companion = (
  name: string,
  steps: ShownScene['steps'] | null,
  state: Partial<TerminalState> = {},
  more: More = {},
): ShownScene =>
  at(name, { host: 'electron', companion: { ...defaultCompanion, isShortcutHeld: true }, ...state }, steps, {
    ...more,
    path: 'companion.html',
    sizes: [{ width: 600, height: 700 }],
  });

const asksBar =
  (text: string, awaited: (page: Page) => Locator): NonNullable<ShownScene['steps']> =>
  async (page) => {
    await ask(page.locator('.bar-field'), text);
    await awaited(page).waitFor();
  };

export const companionScenes: readonly ShownScene[] = [
  companion('companion', null),
  companion(
    'companion-found',
    asksBar(coffee, (page) => page.getByRole('region', { name: /Café/ })),
  ),
  companion(
    'companion-shared-code',
    asksBar(coffee, (page) => page.locator('.bar-hit').first()),
    {},
    sharedCode,
  ),
  companion(
    'companion-unknown-similar',
    asksBar('vassora', (page) => page.locator('.bar-hit').first()),
    {},
    find({ kind: 'unknown', text: 'vassora', asked: true }, { 'lookup:findSimilar': value(hits.slice(0, 3)) }),
  ),
  companion('companion-signed-out', null, { ...signedOut, lookupNeedsSignIn: true }),
  companion(
    'companion-open-found',
    asksBar(coffee, (page) => page.getByRole('region', { name: /Café/ })),
    signedOut,
  ),
];
