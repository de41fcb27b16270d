// Owns the frame after sign-in: header, navigation, bands, and the screen that is chosen. Never holds a screen's content.
import { Button } from '@mantine/core';
import { Suspense, useEffect, useRef, useState, type ComponentType, type ReactElement, type RefObject } from 'react';
import { Bands } from '../components/bands.tsx';
import { ConnectionStatus } from '../components/connection-status.tsx';
import { CouponIcon, KeyboardIcon, Mark, QueueIcon, ScanIcon, SettingsIcon, StockIcon, UserIcon } from '../components/icons.tsx';
import { LockNowButton } from '../components/lock-sign.tsx';
import { KeyboardDialog } from '../components/keyboard-dialog.tsx';
import { KeyHint } from '../components/keys.tsx';
import { PracticeBand } from '../components/practice-band.tsx';
import { OfferedScan } from '../components/scan-notes.tsx';
import { SignOutDialog } from '../components/sign-out-dialog.tsx';
import { TourBand, useTourStep } from '../components/tour-band.tsx';
import { useNavigation, useStores, useTerminal, useTour, useWords } from '../context.tsx';
import { focusHeading } from '../focus.ts';
import { useShortcut, useShortcutKeys } from '../shortcut-keys.ts';
import { ariaKeysOf, screenShortcuts } from '../shortcuts.ts';
import { formatNumber } from '../formats/numbers.ts';
import { later } from '../now.ts';
import { screens, type MainScreen, type Screen } from '../stores/navigation.ts';
import { toDecide } from '../stores/queue.ts';
import { Lookup } from './lookup.tsx';
import { otherScreens, readOtherScreens } from './other-screens.ts';

const screenIcons: Readonly<Record<MainScreen, ReactElement>> = {
  lookup: <ScanIcon size={30} />,
  stock: <StockIcon size={30} />,
  coupons: <CouponIcon size={30} />,
  queue: <QueueIcon size={30} />,
  users: <UserIcon size={30} />,
  settings: <SettingsIcon size={30} />,
};

const screenParts: Readonly<Record<Screen, ComponentType>> = { lookup: Lookup, ...otherScreens };

/** The lookup is ready to answer before the others are read. */
const readOthersAfterMs = 300;

function QueueBadge(): ReactElement | null {
  const { t, language } = useWords();
  const { pending, inFlight } = useTerminal((state) => state.queue);
  const parked = useTerminal((state) => toDecide(state.queue));
  const waiting = pending + inFlight;
  if (waiting + parked === 0) {
    return null;
  }
  const words = [waiting > 0 ? t('queue.badge.waiting', { count: waiting }) : null, parked > 0 ? t('queue.badge.parked', { count: parked }) : null].filter((word) => word !== null).join(', ');
  return (
    <>
      <span className="badge" data-kind={parked > 0 ? 'warn' : 'calm'} title={words} aria-hidden="true">
        {formatNumber(waiting + parked, language)}
      </span>
      <span className="visually-hidden">{words}</span>
    </>
  );
}

/** Home empties the field when one is there already. */
function useWayHome(): void {
  const { lookup, navigation } = useStores();
  const go = useNavigation(({ go: goTo }) => goTo);
  const goHome = (): void => {
    if (navigation.getState().screen === 'lookup') {
      lookup.getState().clear();
    }
    go('lookup');
  };
  useShortcut('home', goHome);
}

/** A screen's key; every screen of the table has one. */
function ScreenShortcut({ to }: { readonly to: (typeof screenShortcuts)[number] }): null {
  const go = useNavigation(({ go: goTo }) => goTo);
  useShortcut(to, () => go(to));
  return null;
}

function Navigation({ showKeys }: { readonly showKeys: () => void }): ReactElement {
  const { t } = useWords();
  const current = useNavigation((navigation) => navigation.screen);
  return (
    <nav className="rail" aria-label={t('header.navigation')}>
      {screens.map((screen) => (
        <div key={screen} className="rail-item">
          <a href={`#${screen}`} className="rail-link" aria-keyshortcuts={ariaKeysOf(screen)} aria-current={screen === current ? 'page' : screen === 'settings' && current === 'allowance' ? 'true' : undefined}>
            {screenIcons[screen]}
            <span>{t(`screen.${screen}`)}</span>
          </a>
          {screen === 'queue' && <QueueBadge />}
        </div>
      ))}
      <button type="button" className="rail-keys" aria-keyshortcuts={ariaKeysOf('keys')} onClick={showKeys}>
        <KeyboardIcon size={24} />
        <span>{t('keyboard.button')}</span>
        <KeyHint of="keys" />
      </button>
    </nav>
  );
}

function Header(): ReactElement {
  const { t } = useWords();
  const [isLeaving, setLeaving] = useState(false);
  const profile = useTerminal((state) => state.profile);
  const name = useTerminal((state) => state.profiles.find(({ profileId }) => profileId === state.profileId)?.name ?? null);
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const email = useTerminal((state) => state.session.email);
  const company = profile === null ? '' : t('header.company', { id: profile.companyId });
  const placeName = name === null ? company : `${name} · ${company}`;
  const stockWords = stocks.map((stock) => stock.name ?? t('header.stock', { id: stock.stockId })).join(', ');
  return (
    <header className="header">
      <span className="brand">
        <Mark /> <span>Tillside</span>
      </span>
      {profile !== null && (
        <p className="place">
          <span className="place-name" title={placeName}>
            {placeName}
          </span>
          <span className="place-stocks" title={stockWords}>
            {stockWords}
          </span>
        </p>
      )}
      <LockNowButton />
      <ConnectionStatus />
      <div className="person">
        {email !== null && (
          <span className="person-email" title={email}>
            {email}
          </span>
        )}
        <Button variant="default" onClick={() => setLeaving(true)}>
          {t('signOut.button')}
        </Button>
      </div>
      <SignOutDialog isOpen={isLeaving} close={() => setLeaving(false)} />
    </header>
  );
}

/** Stands beside a screen, and comes when that has come. */
function FocusedHeading({ place }: { readonly place: RefObject<HTMLElement | null> }): null {
  useEffect(() => focusHeading(place.current), [place]);
  return null;
}

/** Everything around the chosen screen. Escape goes home when nothing nearer takes it. */
export function Shell(): ReactElement {
  const { t } = useWords();
  const screen = useNavigation((navigation) => navigation.screen);
  const [isKeysShown, setKeysShown] = useState(false);
  const step = useTourStep();
  const beginTour = useTour((tour) => tour.begin);
  const Part = screenParts[screen];
  const main = useRef<HTMLElement>(null);
  useEffect(() => later(readOthersAfterMs, readOtherScreens), []);
  useWayHome();
  useShortcutKeys();
  useShortcut('keys', () => setKeysShown(true));
  return (
    <div className="shell" data-tour={step ?? undefined}>
      {screenShortcuts.map((one) => (
        <ScreenShortcut key={one} to={one} />
      ))}
      <PracticeBand withNetwork />
      <Header />
      <Navigation showKeys={() => setKeysShown(true)} />
      <div className="stage">
        <Bands />
        <TourBand />
        <main className="screen" ref={main} aria-label={t(`screen.${screen}`)}>
          <Suspense fallback={null}>
            <Part />
            <FocusedHeading key={screen} place={main} />
          </Suspense>
        </main>
        <OfferedScan />
      </div>
      <KeyboardDialog
        isOpen={isKeysShown}
        close={() => setKeysShown(false)}
        showTour={() => {
          setKeysShown(false);
          beginTour();
        }}
      />
    </div>
  );
}
