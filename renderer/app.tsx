// Owns the window's page: the scanner's ear, and which of the three phases is on. Never holds a screen's content.
import type { i18n } from 'i18next';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { PinDialog } from './components/pin-dialog.tsx';
import { EarlyScan, WaitingScans } from './components/scan-notes.tsx';
import { useNavigation, useTerminal, useWords } from './context.tsx';
import { Frame } from './frame.tsx';
import { useScans } from './scans.ts';
import { FirstRun } from './screens/first-run.tsx';
import { Gone } from './screens/gone.tsx';
import { SafetyNet } from './screens/safety-net.tsx';
import { Shell } from './screens/shell.tsx';
import { SignIn } from './screens/sign-in.tsx';
import type { Stores } from './stores/stores.ts';

function Phase(): ReactElement {
  const { t } = useWords();
  useScans();
  const phase = useTerminal((state) => state.phase);
  const screen = useNavigation((navigation) => navigation.screen);
  useEffect(() => {
    document.title = phase === 'ready' ? `${t(`screen.${screen}`)} \u2013 Tillside` : 'Tillside';
  }, [phase, screen, t]);
  return (
    <>
      <EarlyScan />
      {phase === 'firstRun' && <FirstRun />}
      {phase === 'signIn' && <SignIn />}
      {phase === 'ready' && <Shell />}
      <WaitingScans />
      <PinDialog />
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
