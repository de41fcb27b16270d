import '../bridge/trusted-types.ts';
import './style-sheets.ts';
import type { i18n } from 'i18next';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createWords, firstLanguage } from '../formats/i18n.ts';
import { onTick } from '../dom/clock.ts';
import { watchDoublePresses } from '../dom/double-press.ts';
import type { Stores } from '../stores/stores.ts';

/** Starts the page; `open` says where its stores keep place and drafts, `draw` what stands in it. */
export async function startPage(
  open: (bridge: NonNullable<Window['tillside']>) => Stores,
  draw: (stores: Stores, words: i18n) => ReactElement,
): Promise<void> {
  const root = document.getElementById('root');
  const bridge = window.tillside;
  const preferred = firstLanguage(navigator.languages);
  if (root === null) {
    return;
  }
  if (bridge === undefined) {
    root.textContent = (await createWords(preferred)).t('shell.gone.noBridge');
    return;
  }
  const stores = open(bridge);
  // Drawn in the app's own letters from the first frame on; without them, should the file be damaged, in the system's.
  await Promise.all([stores.readTerminal(), document.fonts.load('1em "Atkinson Hyperlegible Next"').catch(() => [])]);
  const words = await createWords(stores.terminal.getState().state?.language ?? preferred);
  watchDoublePresses(window);
  createRoot(root).render(draw(stores, words));
  // A main process that has ended sends no event that says so: it is asked now and then, and its silence is shown.
  let isAsking = false;
  onTick(() => {
    if (!isAsking) {
      isAsking = true;
      void stores.readTerminal().finally(() => {
        isAsking = false;
      });
    }
  });
}
