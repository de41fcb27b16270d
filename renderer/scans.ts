// Owns the scanner's ear of the page: from the first painting on it hears every scan, by the settings of the moment, and notices when the
// last dialog is closed. Never decides what becomes of a scan; stores/scans.ts does.
import { useEffect, useLayoutEffect } from 'react';
import { useStore } from 'zustand';
import { usualScanner } from '../app/contract/scanner.ts';
import { useStores } from './context.tsx';
import { isDialogOpen } from './dialogs.ts';
import { later } from './now.ts';
import { scanInto, watchScanner } from './scanner-keys.ts';

const earlyScanShownMs = 10_000;

/** Calls back once, as soon as no dialog is open, unless the answered function is called first. */
function afterDialogs(callback: () => void): () => void {
  const watch = new MutationObserver(() => {
    if (!isDialogOpen()) {
      watch.disconnect();
      callback();
    }
  });
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-modal'] });
  return () => watch.disconnect();
}

/** Hears every scan, whatever is focused. */
export function useScans(): void {
  const { scans, terminal, scannerTrial } = useStores();
  // The same object until somebody changes it, or the state is read anew.
  const settings = useStore(terminal, (mirror) => JSON.stringify(mirror.state?.scanner ?? usualScanner));
  // Before the first painting: whoever sees a screen can scan.
  useLayoutEffect(
    () =>
      watchScanner(
        window,
        {
          onScan: (text) => {
            if (!scanInto(document.activeElement, text)) {
              scans.getState().hear(text);
            }
          },
          onKey: (key) => scannerTrial.getState().takeKey(key),
        },
        JSON.parse(settings) as typeof usualScanner,
      ),
    [scans, scannerTrial, settings],
  );
  const isWaiting = useStore(scans, ({ waiting }) => waiting.length > 0);
  useEffect(() => (isWaiting ? afterDialogs(() => scans.getState().endWaiting()) : undefined), [isWaiting, scans]);
  const early = useStore(scans, (mirror) => mirror.early);
  // It takes room from the form, so it goes by itself.
  useEffect(() => (early === 0 ? undefined : later(earlyScanShownMs, () => scans.getState().forgetEarly())), [early, scans]);
}
