import { Button } from '@mantine/core';
import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { useStore } from 'zustand';
import { ownPinLength } from '../../app/contract/limits/cashiers.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { PinEntry } from '../lock/pin-entry.tsx';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { useCut, useNavigation, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { PersonSign } from '../ui/person-sign.tsx';
import { shortNameOf } from './initials.ts';

interface TileProps {
  readonly email: string;
  readonly isChosen: boolean;
  readonly needsPassword: boolean;
  readonly choose: () => void;
}

function Tile({ email, isChosen, needsPassword, choose }: TileProps): ReactElement {
  const { t } = useWords();
  const { name, rest } = shortNameOf(email);
  return (
    <button type="button" className="cashier-tile line-3" aria-pressed={isChosen} title={email} onClick={choose}>
      <PersonSign email={email} />
      <span className="cashier-name">
        <span className="cashier-short">{name}</span>
        <span className="cashier-rest hint">{rest}</span>
        {needsPassword && <span className="cashier-needs hint">{t('cashiers.passwordFirst')}</span>}
      </span>
    </button>
  );
}

/** Whose PIN, or password, is asked for; an empty e-mail is somebody else's password. */
function useChosen() {
  const { badge } = useStores();
  const { users, lockedEmail } = useTerminal((state) => state.cashiers);
  const comingNext = useNavigation((navigation) => navigation.comingNext);
  const possible = users.filter(({ canComeBack }) => canComeBack);
  const [only] = possible.length === 1 ? possible : [];
  const [chosen, setChosen] = useState<string | null>(comingNext ?? lockedEmail ?? only?.email ?? null);
  // The same name touched again has the PIN asked for anew, with the keyboard in it.
  const [touches, setTouches] = useState(0);
  const [hasRefused, setRefused] = useState<string | null>(null);
  const shownBadge = useStore(badge, (store) => store.shown);
  const choose = (email: string): void => {
    setChosen(email);
    setTouches((count) => count + 1);
  };
  useEffect(() => {
    if (shownBadge?.outcome === 'passwordFirst') {
      setRefused(shownBadge.email);
      choose(shownBadge.email);
    }
  }, [shownBadge]);
  const user = users.find(({ email }) => email === chosen);
  return {
    users,
    chosen,
    choose,
    touches,
    /** The platform, or the manager's days, want this one's password. */
    refuse: (email: string) => setRefused(email),
    pinOf: user?.canComeBack === true && user.email !== hasRefused ? user : null,
  };
}

/** Names as tiles, and beside them the PIN, or the password of who needs it. */
export function LockScreen({ children }: { readonly children: ReactNode }): ReactElement {
  const { t } = useWords();
  const { bridge, earlyPin } = useStores();
  const cut = useCut();
  const { users, chosen, choose, touches, refuse, pinOf } = useChosen();
  const lockedEmail = useTerminal((state) => state.cashiers.lockedEmail);
  const mayScan = useTerminal(({ cashierChange }) => cashierChange.badges);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const tiles = useRef<HTMLDivElement>(null);
  useEffect(() => setFailure(null), [chosen, touches]);
  useEffect(() => earlyPin.end(), [earlyPin]);
  // Where nobody is chosen yet, the keyboard is at the first name.
  useEffect(() => {
    if (chosen === null) {
      tiles.current?.querySelector('button')?.focus();
    }
  }, [chosen]);

  const comeBack = async (email: string, pin: string): Promise<void> => {
    setWorking(true);
    const came = await bridge.call('cashier:comeBack', { email, pin });
    setWorking(false);
    setFailure(came.ok ? null : came.failure);
    if (!came.ok && came.failure.kind === 'signInNeeded') {
      refuse(email);
    }
  };
  /** Back to the names by the keyboard. */
  const takeKey = (event: ReactKeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      const all = [...(tiles.current?.querySelectorAll('button') ?? [])];
      (all.find((tile) => tile.getAttribute('aria-pressed') === 'true') ?? all[0])?.focus();
    }
  };

  return (
    <div className="panel till">
      <div className="till-names">
        <h1>{t(lockedEmail === null ? 'signIn.title' : 'cashiers.locked')}</h1>
        {lockedEmail !== null && <p className="hint">{t('cashiers.goesOn', { email: lockedEmail })}</p>}
        {cut !== null && (
          <p className="notice" role="status">
            {t(`cashiers.till.${cut}`)}
          </p>
        )}
        <div ref={tiles} className="cashier-tiles stack-2" role="group" aria-label={t('cashiers.choose')}>
          {users.map(({ email, canComeBack }) => (
            <Tile
              key={email}
              email={email}
              isChosen={email === chosen}
              needsPassword={!canComeBack}
              choose={() => choose(email)}
            />
          ))}
        </div>
        {children}
      </div>
      <div className="till-entry" onKeyDown={takeKey}>
        {chosen === null && <p className="till-ask">{t('cashiers.choose')}</p>}
        {pinOf !== null && (
          <PinEntry
            key={`${pinOf.email} ${touches}`}
            length={ownPinLength}
            wholeAt={pinOf.pinLength}
            label={t('cashiers.till.pinOf', { name: shortNameOf(pinOf.email).name })}
            action={t('signIn.button')}
            problem={failure === null ? null : t(`failure.${failure.kind}.says`)}
            waitUntil={pinOf.waitUntil}
            isWorking={isWorking}
            takeEarly={earlyPin.take}
            onPin={(pin) => void comeBack(pinOf.email, pin)}
          />
        )}
        {chosen !== null && pinOf === null && (
          <div className="till-password stack-3">
            <h2>
              {t(chosen === '' ? 'cashiers.till.somebodyElse' : 'cashiers.till.passwordOf', {
                name: shortNameOf(chosen).name,
              })}
            </h2>
            {cut !== null && <p className="notice">{t(`signIn.${cut}.alone`)}</p>}
            <SignInForm key={`${chosen} ${touches}`} of={chosen} />
          </div>
        )}
        {pinOf !== null && mayScan && users.some(({ hasBadge, canComeBack }) => hasBadge && canComeBack) && (
          <p className="hint till-badge">{t('cashiers.badge.orScan')}</p>
        )}
        {(chosen === null || pinOf !== null) && (
          <Button variant="subtle" fullWidth onClick={() => choose('')}>
            {t('cashiers.withPassword')}
          </Button>
        )}
      </div>
    </div>
  );
}
