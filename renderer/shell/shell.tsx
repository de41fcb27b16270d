import { Button } from '@mantine/core';
import { Suspense, useEffect, useRef, type ComponentType, type ReactElement, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Bands } from './banners.tsx';
import { Account } from './account.tsx';
import { ConnectionStatus } from '../connection/connection-status.tsx';
import { CountIcon, CouponIcon, HelpIcon, Mark, QueueIcon, ScanIcon, SettingsIcon, StockIcon } from '../ui/icons.tsx';
import { KeyNote } from '../ui/key-note.tsx';
import { KeyHint } from '../ui/keys.tsx';
import { PracticeBand } from '../practice/practice-banner.tsx';
import { OfferedScan } from '../scanner/scan-notes.tsx';
import { TourBand, useTourStep } from './tour-banner.tsx';
import { useIsSignedIn, useNavigation, useStores, useStockName, useTerminal, useWords } from '../stores/context.tsx';
import { focusHeading } from '../dom/focus.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf, screenShortcuts } from '../stores/shortcuts.ts';
import { formatNumber } from '../formats/numbers.ts';
import { later } from '../dom/clock.ts';
import { rareScreens, type MainScreen, type Screen } from '../stores/navigation.ts';
import { useScreens, useShownScreen } from '../stores/use-screens.ts';
import { goingOf, toDecideOf, waitingOf } from '../../app/contract/waiting.ts';
import { wordsOfElsewhere } from '../queue/elsewhere.tsx';
import { Lookup } from '../lookup/lookup-screen.tsx';
import { otherScreens, readOtherScreens } from './other-screens.ts';

const screenIcons: Readonly<Record<MainScreen, ReactElement>> = {
  lookup: <ScanIcon size={30} />,
  stock: <StockIcon size={30} />,
  stocktakes: <CountIcon size={30} />,
  coupons: <CouponIcon size={30} />,
  queue: <QueueIcon size={30} />,
  settings: <SettingsIcon size={30} />,
};

const screenParts: Readonly<Record<Screen, ComponentType>> = { lookup: Lookup, ...otherScreens };

/** The lookup is ready to answer before the others are read. */
const readOthersAfterMs = 300;

interface BadgeProps {
  readonly count: number;
  readonly kind: 'warn' | 'calm';
  readonly words: string;
}

function Badge({ count, kind, words }: BadgeProps): ReactElement {
  const { language } = useWords();
  return (
    <>
      <span className="badge" data-kind={kind} title={words} aria-hidden="true">
        {formatNumber(count, language)}
      </span>
      <span className="visually-hidden">{words}</span>
    </>
  );
}

function QueueBadge(): ReactElement | null {
  const { t } = useWords();
  const queue = useTerminal((state) => state.queue);
  const { ofOthers, elsewhere } = queue;
  const parked = toDecideOf(queue);
  const going = goingOf(queue);
  const waiting = waitingOf(queue);
  if (waiting + parked === 0) {
    return null;
  }
  const words = [
    going > 0 ? t('queue.badge.waiting', { count: going }) : null,
    ofOthers.count > 0 ? t('queue.ofOthers', { count: ofOthers.count, emails: ofOthers.emails.join(', ') }) : null,
    ...elsewhere.map((one) => wordsOfElsewhere(one, t)),
    parked > 0 ? t('queue.badge.parked', { count: parked }) : null,
  ]
    .filter((word) => word !== null)
    .join(', ');
  return <Badge count={waiting + parked} kind={parked > 0 ? 'warn' : 'calm'} words={words} />;
}

function StockBadge(): ReactElement | null {
  const { t } = useWords();
  const below = useTerminal((state) => state.watchList?.below ?? 0);
  if (below === 0) {
    return null;
  }
  return <Badge count={below} kind="warn" words={t('watchList.badge', { count: below })} />;
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

function Navigation(): ReactElement {
  const { t } = useWords();
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  const seen = useScreens();
  const current = useShownScreen();
  const isRare = rareScreens.some((rare) => rare === current);
  return (
    <nav className="rail" aria-label={t('shell.header.navigation')}>
      {seen.map((screen) => (
        <div key={screen} className="rail-item">
          <a
            href={`#${screen}`}
            className="rail-link"
            aria-keyshortcuts={ariaKeysOf(screen)}
            aria-current={screen === current ? 'page' : (screen === 'settings' && isRare) || undefined}
          >
            {screenIcons[screen]}
            <span>{t(`shell.screen.${screen}`)}</span>
          </a>
          {screen === 'stock' && <StockBadge />}
          {screen === 'queue' && <QueueBadge />}
        </div>
      ))}
      <button
        type="button"
        className="rail-help"
        aria-keyshortcuts={ariaKeysOf('help')}
        onClick={() => showHelp({ part: 'keys' })}
      >
        <HelpIcon size={24} />
        <span>{t('help.title')}</span>
        <KeyHint of="help" />
      </button>
    </nav>
  );
}

function Header(): ReactElement {
  const { t } = useWords();
  const profile = useTerminal((state) => state.profile);
  const name = useTerminal(
    (state) => state.profiles.find(({ profileId }) => profileId === state.profileId)?.name ?? null,
  );
  const nameOf = useStockName();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const isSignedIn = useIsSignedIn();
  const lookUp = useNavigation((navigation) => navigation.lookUp);
  const isConnecting = useNavigation((navigation) => navigation.connecting !== null);
  const company = profile === null ? '' : t('shell.header.company', { id: profile.companyId });
  const placeName = name === null ? company : `${name} · ${company}`;
  const stockWords = stocks.map((stock) => nameOf(stock.stockId, stock.name)).join(', ');
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
      <ConnectionStatus />
      <div className="person">
        {(!isSignedIn || isConnecting) && (
          <Button variant="default" onClick={() => lookUp(false)}>
            {t(isConnecting ? 'signIn.connect.return' : 'signIn.button')}
          </Button>
        )}
        {!isConnecting && <Account />}
      </div>
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
  const { i18n } = useTranslation();
  const isSignedIn = useIsSignedIn();
  const screen = useShownScreen();
  const seen = useScreens();
  const step = useTourStep();
  const Part = screenParts[screen];
  const main = useRef<HTMLElement>(null);
  useEffect(() => later(readOthersAfterMs, () => readOtherScreens(i18n)), [i18n]);
  useWayHome();
  return (
    <div className="shell" data-tour={isSignedIn ? (step ?? undefined) : undefined}>
      {screenShortcuts
        .filter(
          (one) => seen.some((other) => other === one) || (isSignedIn && rareScreens.some((rare) => rare === one)),
        )
        .map((one) => (
          <ScreenShortcut key={one} to={one} />
        ))}
      <PracticeBand withNetwork />
      <Header />
      <Navigation />
      <div className="stage">
        <Bands />
        {isSignedIn && <TourBand />}
        <main className="screen" ref={main} aria-label={t(`shell.screen.${screen}`)}>
          <Suspense fallback={null}>
            <Part />
            <FocusedHeading key={screen} place={main} />
          </Suspense>
        </main>
        <OfferedScan />
        <KeyNote />
      </div>
    </div>
  );
}
