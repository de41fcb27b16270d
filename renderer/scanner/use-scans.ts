import { useEffect, useLayoutEffect } from 'react';
import { useStore } from 'zustand';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { isLikeBadge } from '../../app/domain/codes/badge.ts';
import { lossMark, maxReadingLength, type ScannerReading } from '../../app/domain/scanner-device.ts';
import { useStores } from '../stores/context.tsx';
import { afterDialogs } from '../dom/dialogs.ts';
import { later, pageNow } from '../dom/clock.ts';
import { isAnswerKey } from '../stores/answer-keys.ts';
import { shortcutOf } from '../stores/shortcuts.ts';
import { withoutMarks } from './scanner-characters.ts';
import { scanInto } from './scan-into.ts';
import { watchScanner } from './scanner-keys.ts';

const earlyScanShownMs = 10_000;

/** The code to look up: a reading with its symbology identifier, without the texts that the scanner is set to add. */
export function codeOf({ text, symbology }: ScannerReading, settings: ScannerSettings): string {
  return withoutMarks(`${symbology ?? ''}${text}`, settings).slice(0, maxReadingLength);
}

/** Hears every scan, whatever is focused. */
export function useScans(): void {
  const { bridge, scans, terminal, scannerTrial, scannerLearner } = useStores();
  // The same object until somebody changes it, or the state is read anew.
  const settings = useStore(terminal, (store) => JSON.stringify(store.state?.scanner ?? defaultScanner));
  // Before the first painting: whoever sees a screen can scan.
  useLayoutEffect(
    () =>
      watchScanner(
        window,
        {
          onScan: ({ text, withdraws }) => {
            if (text === null || isLikeBadge(text) || !scanInto(text)) {
              scans.getState().receive(text, withdraws);
            }
          },
          waitsForScan: (event) => {
            const id = shortcutOf(event);
            return id !== null && isAnswerKey(id);
          },
          onKey: (key) => scannerTrial.getState().takeKey(key),
        },
        JSON.parse(settings) as typeof defaultScanner,
        scannerLearner,
      ),
    [scans, scannerTrial, scannerLearner, settings],
  );
  // A scanner without a keyboard: its whole text at once, never key by key.
  useLayoutEffect(
    () =>
      bridge.subscribe({
        'scanner:read': (reading) => {
          const code = codeOf(reading, terminal.getState().state?.scanner ?? defaultScanner);
          if (code.includes(lossMark)) {
            scans.getState().receive(null);
          } else if (isLikeBadge(code) || !scanInto(code)) {
            scans.getState().receive(code, [], pageNow());
          }
        },
      }),
    [scans, terminal, bridge],
  );
  const isWaiting = useStore(scans, ({ waiting, isInPieces }) => waiting.length > 0 || isInPieces);
  useEffect(() => (isWaiting ? afterDialogs(() => scans.getState().endWaiting()) : undefined), [isWaiting, scans]);
  // It takes room from the form, so it goes by itself. The whole page stands on this hook: no scan may draw it anew.
  useEffect(() => {
    let stopWaiting: (() => void) | null = null;
    const wait = (early: number): void => {
      stopWaiting?.();
      stopWaiting = early === 0 ? null : later(earlyScanShownMs, () => scans.getState().forgetEarly());
    };
    wait(scans.getState().early);
    const unsubscribe = scans.subscribe(({ early }, before) => (early === before.early ? undefined : wait(early)));
    return () => {
      unsubscribe();
      stopWaiting?.();
    };
  }, [scans]);
}
