// Owns the frame after sign-in: header, navigation, bands, and the screen that is chosen. Never holds a screen's content.
import { Button } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { Bands } from '../components/bands.tsx';
import { ConnectionStatus } from '../components/connection-status.tsx';
import { CouponIcon, Mark, QueueIcon, ScanIcon, SettingsIcon, StockIcon, UserIcon } from '../components/icons.tsx';
import { LockNowButton } from '../components/lock-sign.tsx';
import { PracticeBand } from '../components/practice-band.tsx';
import { SignOutDialog } from '../components/sign-out-dialog.tsx';
import { useNavigation, useTerminal, useWords } from '../context.tsx';
import { useFocusedHeading } from '../focus.ts';
import { formatNumber } from '../formats/numbers.ts';
import { screens, type MainScreen, type Screen } from '../stores/navigation.ts';
import { Allowance } from './allowance.tsx';
import { Coupons } from './coupons.tsx';
import { Lookup } from './lookup.tsx';
import { Queue } from './queue.tsx';
import { Settings } from './settings/settings.tsx';
import { Stock } from './stock.tsx';
import { Users } from './users.tsx';

const screenIcons: Readonly<Record<MainScreen, ReactElement>> = {
  lookup: <ScanIcon size={30} />,
  stock: <StockIcon size={30} />,
  coupons: <CouponIcon size={30} />,
  queue: <QueueIcon size={30} />,
  users: <UserIcon size={30} />,
  settings: <SettingsIcon size={30} />,
};

const screenParts: Readonly<Record<Screen, () => ReactElement>> = { lookup: Lookup, stock: Stock, coupons: Coupons, queue: Queue, users: Users, settings: Settings, allowance: Allowance };

function QueueBadge(): ReactElement | null {
  const { t, language } = useWords();
  const { pending, inFlight, parked } = useTerminal((state) => state.queue);
  const waiting = pending + inFlight;
  if (waiting + parked === 0) {
    return null;
  }
  const words = [waiting > 0 ? t('queue.badge.waiting', { count: waiting }) : null, parked > 0 ? t('queue.badge.parked', { count: parked }) : null];
  return (
    <span className="badge" data-kind={parked > 0 ? 'warn' : 'calm'} title={words.filter((word) => word !== null).join(', ')}>
      {formatNumber(waiting + parked, language)}
    </span>
  );
}

function Navigation(): ReactElement {
  const { t } = useWords();
  const current = useNavigation((navigation) => navigation.screen);
  return (
    <nav className="rail" aria-label={t('header.navigation')}>
      {screens.map((screen) => (
        <div key={screen} className="rail-item">
          <a href={`#${screen}`} className="rail-link" aria-current={screen === current ? 'page' : screen === 'settings' && current === 'allowance' ? 'true' : undefined}>
            {screenIcons[screen]}
            <span>{t(`screen.${screen}`)}</span>
          </a>
          {screen === 'queue' && <QueueBadge />}
        </div>
      ))}
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
  const stockWords = stocks.map((stock) => stock.name ?? t('header.stock', { id: stock.stockId })).join(', ');
  return (
    <header className="header">
      <span className="brand">
        <Mark /> <span>Tillside</span>
      </span>
      {profile !== null && (
        <p className="place">
          <span className="place-name" title={name ?? undefined}>
            {name === null ? t('header.company', { id: profile.companyId }) : `${name} · ${t('header.company', { id: profile.companyId })}`}
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

/** Everything around the chosen screen. Escape goes home when nothing nearer takes it. */
export function Shell(): ReactElement {
  const { t } = useWords();
  const screen = useNavigation((navigation) => navigation.screen);
  const go = useNavigation((navigation) => navigation.go);
  const Part = screenParts[screen];
  const main = useFocusedHeading<HTMLElement>(screen);
  useEffect(() => {
    const goHome = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[aria-modal="true"]') === null) {
        go('lookup');
      }
    };
    window.addEventListener('keydown', goHome);
    return () => window.removeEventListener('keydown', goHome);
  }, [go]);
  return (
    <div className="shell">
      <PracticeBand withNetwork />
      <Header />
      <Navigation />
      <div className="stage">
        <Bands />
        <main className="screen" ref={main} aria-label={t(`screen.${screen}`)}>
          <Part />
        </main>
      </div>
    </div>
  );
}
