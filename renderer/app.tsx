// Owns what stands around every screen: the scanner's ear, and which of the three phases is on. Never holds a screen's content.
import type { i18n } from 'i18next';
import { useEffect, useLayoutEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { useNavigation, useStores, useTerminal, useWords } from './context.tsx';
import { cutText } from './formats/texts.ts';
import { Frame } from './frame.tsx';
import { later } from './now.ts';
import { scanInto, watchScanner } from './scanner-keys.ts';
import { FirstRun } from './screens/first-run.tsx';
import { Gone } from './screens/gone.tsx';
import { SafetyNet } from './screens/safety-net.tsx';
import { Shell } from './screens/shell.tsx';
import { SignIn } from './screens/sign-in.tsx';
import type { Stores } from './stores/stores.ts';

const earlyScanShownMs = 10_000;

/** So much of a scan's text is enough to know it by. */
const shownCharacters = 20;

const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

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

interface Scans {
  readonly isEarly: boolean;
  /** A scan that waits until a dialog is closed. */
  readonly waiting: string | null;
}

/** Hears every scan, whatever is focused; before sign-in it can only say that it is too early. */
function useScans(): Scans {
  const stores = useStores();
  const [earlyScans, setEarlyScans] = useState(0);
  const [waiting, setWaiting] = useState<string | null>(null);
  // Before the first painting: whoever sees a screen can scan.
  useLayoutEffect(
    () =>
      watchScanner(window, (text) => {
        if (scanInto(document.activeElement, text)) {
          return;
        }
        const isReady = stores.terminal.getState().state?.phase === 'ready';
        setEarlyScans((before) => (isReady ? 0 : before + 1));
        if (!isReady) {
          return;
        }
        // A question that waits for an answer stays on the screen as it is, and so does all behind it; the scan waits for its end.
        if (isDialogOpen()) {
          setWaiting(text);
          return;
        }
        stores.navigation.getState().go('lookup');
        void stores.lookup.getState().find(text, 'scan');
      }),
    [stores],
  );
  useEffect(
    () =>
      waiting === null
        ? undefined
        : afterDialogs(() => {
            setWaiting(null);
            if (stores.terminal.getState().state?.phase === 'ready') {
              stores.navigation.getState().go('lookup');
              void stores.lookup.getState().find(waiting, 'scan');
            }
          }),
    [stores, waiting],
  );
  // It takes room from the form, so it goes by itself.
  useEffect(() => (earlyScans === 0 ? undefined : later(earlyScanShownMs, () => setEarlyScans(0))), [earlyScans]);
  return { isEarly: earlyScans > 0, waiting };
}

function Phase(): ReactElement {
  const { t } = useWords();
  const { isEarly, waiting } = useScans();
  const phase = useTerminal((state) => state.phase);
  const screen = useNavigation((navigation) => navigation.screen);
  useEffect(() => {
    document.title = phase === 'ready' ? `${t(`screen.${screen}`)} \u2013 Tillside` : 'Tillside';
  }, [phase, screen, t]);
  return (
    <>
      {phase !== 'ready' && isEarly && (
        <p className="early-scan" role="status">
          {t('scan.tooEarly')}
        </p>
      )}
      {phase === 'firstRun' && <FirstRun />}
      {phase === 'signIn' && <SignIn />}
      {phase === 'ready' && <Shell />}
      {waiting !== null && (
        <p className="waiting-scan" role="status">
          {t('scan.waiting', { text: cutText(waiting, shownCharacters) })}
        </p>
      )}
    </>
  );
}

/** The whole page. */
export function App({ stores, words }: { readonly stores: Stores; readonly words: i18n }): ReactElement {
  const isRead = useStore(stores.terminal, (mirror) => mirror.state !== null);
  const isGone = useStore(stores.terminal, (mirror) => mirror.isGone);
  const isShutOut = useStore(stores.terminal, (mirror) => mirror.isShutOut);
  return (
    <Frame stores={stores} words={words}>
      {/* Nothing behind the cover can be pressed, not even the practice band's network. */}
      <div className="page" inert={isGone}>
        <SafetyNet>{isRead && <Phase />}</SafetyNet>
      </div>
      {isGone && <Gone again={() => stores.readTerminal()} isShutOut={isShutOut} />}
    </Frame>
  );
}
