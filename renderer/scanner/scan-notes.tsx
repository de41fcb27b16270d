import { Button } from '@mantine/core';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { useNavigation, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { focusHeading } from '../dom/focus.ts';
import { cutText } from '../formats/texts.ts';
import { isHome } from '../stores/navigation.ts';
import { CrossIcon } from '../ui/icons.tsx';

/** So much of a scan's text is enough to know it by. */
const shownCharacters = 20;

/** Above the screens before sign-in. */
export function EarlyScan(): ReactElement | null {
  const { t } = useWords();
  const { scans } = useStores();
  const isEarly = useStore(scans, ({ early }) => early > 0);
  const isKept = useStore(scans, ({ unseen }) => unseen.length > 0);
  const phase = useTerminal((state) => state.phase);
  return !isEarly || phase === 'ready' ? null : (
    <p className="early-scan" role="status">
      {t(isKept ? 'scanner.scan.unseen' : 'scanner.scan.tooEarly')}
    </p>
  );
}

/**
 * Above the dialog that the scans wait for. It promises what closing it will do: at home the last is shown, elsewhere
 * it is offered, or taken where a screen takes all.
 */
export function WaitingScans(): ReactElement {
  const { t } = useWords();
  const waiting = useStore(useStores().scans, (store) => store.waiting);
  const isInPieces = useStore(useStores().scans, (store) => store.isInPieces);
  const isDiverted = useStore(useStores().scans, (store) => store.isDiverted);
  const isAtHome = useNavigation(isHome);
  const last = waiting.at(-1);
  const elsewhere = isDiverted
    ? (['scanner.scan.waitingHere', 'scanner.scan.waitingManyHere'] as const)
    : (['scanner.scan.waitingAway', 'scanner.scan.waitingManyAway'] as const);
  const [one, many] = isAtHome ? (['scanner.scan.waiting', 'scanner.scan.waitingMany'] as const) : elsewhere;
  return (
    // Always there, so that what is put into it is announced.
    <div className="waiting-scan" role="status" data-empty={last === undefined && !isInPieces}>
      {isInPieces && <span>{t('scanner.scan.pieces')} </span>}
      {last !== undefined &&
        t(waiting.length === 1 ? one : many, { number: waiting.length, text: cutText(last, shownCharacters) })}
    </div>
  );
}

/**
 * At the foot of the screen that the scans came to, which becomes shorter for it: nothing of the screen lies behind it.
 */
export function OfferedScan(): ReactElement {
  const { t } = useWords();
  const { scans } = useStores();
  const offered = useStore(scans, (store) => store.offered);
  const word = useStore(scans, ({ isOfLink }) => (isOfLink ? 'offeredByLink' : 'offered'));
  // Its buttons go with it.
  useEffect(() => focusHeading(document.querySelector('main')), [offered]);
  return (
    <div className="offered-scan" role="status" data-empty={offered === null}>
      {offered !== null && (
        <>
          <span>{t(`scanner.scan.${word}`, { text: cutText(offered, shownCharacters) })}</span>
          <Button onClick={() => scans.getState().showOffered()}>{t('scanner.scan.show')}</Button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('scanner.scan.putAway')}
            onClick={() => scans.getState().putAway()}
          >
            <CrossIcon />
          </button>
        </>
      )}
    </div>
  );
}
