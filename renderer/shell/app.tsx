import type { i18n } from 'i18next';
import { Activity, Fragment, useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { canLookUp } from '../../app/contract/access.ts';
import { BadgeNote } from '../cashiers/badge-note.tsx';
import { useActivity } from '../cashiers/use-activity.ts';
import { HelpDialog } from '../help/help-dialog.tsx';
import { PinDialog } from '../lock/pin-dialog.tsx';
import { EarlyScan, WaitingScans } from '../scanner/scan-notes.tsx';
import { useNavigation, useTerminal, useWords } from '../stores/context.tsx';
import { Frame } from './providers.tsx';
import { useScans } from '../scanner/use-scans.ts';
import { Links } from './links.tsx';
import { Gone } from './gone.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';
import { useShownScreen } from '../stores/use-screens.ts';
import { whoseOf, type Stores } from '../stores/stores.ts';
import { useShortcutKeys } from '../stores/use-shortcut.ts';
import { useTextSizeKeys } from '../stores/use-text-size.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

// Who is signed in needs none of them.
const Connect = lazyPart(async () => (await import('../sign-in/connect-form.tsx')).Connect);
const FirstRun = lazyPart(async () => (await import('../sign-in/first-run.tsx')).FirstRun);
const SignIn = lazyPart(async () => (await import('../sign-in/sign-in-screen.tsx')).SignIn);
// Nor does who has no customers at this screen.
const Station = lazyPart(async () => (await import('../station/station.tsx')).Station);

function Phase(): ReactElement {
  const { t } = useWords();
  useScans();
  useShortcutKeys();
  useTextSizeKeys();
  useActivity();
  const phase = useTerminal((state) => state.phase);
  const whose = useTerminal(whoseOf);
  const isLookingUp = useNavigation((navigation) => navigation.isLookingUp);
  const isConnecting = useNavigation((navigation) => navigation.connecting !== null);
  const isOpen = useTerminal(canLookUp) && (isLookingUp || (phase === 'ready' && !isConnecting));
  const screen = useShownScreen();
  useEffect(() => {
    document.title = isOpen ? `${t(`shell.screen.${screen}`)} \u2013 Tillside` : 'Tillside';
  }, [isOpen, screen, t]);
  return (
    <>
      <EarlyScan />
      {/* Nothing that one person has opened at one shop stands before the next one, or at the next one. */}
      <Fragment key={whose}>
        {isConnecting && (
          // A scan hides it; a trial goes on, and what is typed stays.
          <Activity mode={isOpen ? 'hidden' : 'visible'}>
            <Connect />
          </Activity>
        )}
        {phase === 'firstRun' && !isConnecting && <FirstRun />}
        {phase === 'signIn' && !isOpen && !isConnecting && <SignIn />}
        {isOpen && <Shell />}
        <Links />
      </Fragment>
      <HelpDialog />
      <WaitingScans />
      <BadgeNote />
      <PinDialog />
    </>
  );
}

/** The whole page. */
export function App({ stores, words }: { readonly stores: Stores; readonly words: i18n }): ReactElement {
  const isRead = useStore(stores.terminal, (store) => store.state !== null);
  const isGone = useStore(stores.terminal, (store) => store.isGone);
  const isShutOut = useStore(stores.terminal, (store) => store.isShutOut);
  const isStation = useStore(stores.terminal, (store) => store.state?.station.isOn === true);
  if (isStation) {
    // A customer is told to ask, whatever has gone.
    return (
      <Frame stores={stores} words={words}>
        <ErrorBoundary>
          <Station />
        </ErrorBoundary>
      </Frame>
    );
  }
  return (
    <Frame stores={stores} words={words}>
      {/* Nothing behind the cover can be pressed, not even the practice band's network. */}
      <div className="page" inert={isGone}>
        <ErrorBoundary>{isRead && <Phase />}</ErrorBoundary>
      </div>
      {isGone && <Gone again={() => stores.readTerminal()} isShutOut={isShutOut} />}
    </Frame>
  );
}
