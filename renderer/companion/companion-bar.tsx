import { Loader } from '@mantine/core';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { useStore } from 'zustand';
import { canLookUp } from '../../app/contract/access.ts';
import { toDecideOf, waitingOf } from '../../app/contract/waiting.ts';
import { Announcement } from '../lookup/announcement.tsx';
import { AnswerSignal } from '../lookup/answer-signal.tsx';
import { OfflineIcon, QueueIcon, Mark, WarningIcon } from '../ui/icons.tsx';
import { CompanionAnswer, CompanionFailure, CompanionSuggestions } from './companion-answer.tsx';
import { PracticeBand } from '../practice/practice-banner.tsx';
import { usePauseWords } from '../ui/quantity.tsx';
import { useIsSignedIn, useLookup, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { later } from '../dom/clock.ts';
import { BadgeNote } from '../cashiers/badge-note.tsx';
import { useActivity } from '../cashiers/use-activity.ts';
import { isUntouchedQuestion } from '../lookup/choosing.ts';
import { useAnswerKeys } from '../lookup/use-answer-keys.ts';
import { useShortcutKeys } from '../stores/use-shortcut.ts';
import { KeyNote } from '../ui/key-note.tsx';
import { useScans } from '../scanner/use-scans.ts';

const uses = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'focus'] as const;

/** Calls the bar away with Escape, and when nobody has used it for so long as the settings say. */
function useCallingAway(): void {
  const { bridge } = useStores();
  const seconds = useTerminal((state) => state.companion?.hideAfterSeconds ?? 0);
  const answered = useLookup((lookup) => lookup.answered);
  useEffect(() => {
    const hide = (): void => void bridge.call('companion:hide', {});
    let cancel = (): void => undefined;
    const begin = (): void => {
      cancel();
      cancel = seconds === 0 ? cancel : later(seconds * 1000, hide);
    };
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing) {
        event.preventDefault();
        hide();
      }
    };
    begin();
    window.addEventListener('keydown', onKeyDown);
    uses.forEach((use) => window.addEventListener(use, begin, { passive: true }));
    return () => {
      cancel();
      window.removeEventListener('keydown', onKeyDown);
      uses.forEach((use) => window.removeEventListener(use, begin));
    };
  }, [answered, seconds, bridge]);
}

/** Hidden, the bar forgets what it showed; shown, its field has the keyboard. */
function useBeginningAnew(focus: () => void): void {
  const { bridge, lookup } = useStores();
  useEffect(
    () =>
      bridge.subscribe({
        'companion:changed': ({ isShown }) => {
          if (isShown) {
            focus();
          } else {
            lookup.getState().clear();
          }
        },
      }),
    [focus, lookup, bridge],
  );
}

/** `onType` hears that the text is another one than that of the answer. */
function Field({ onType }: { readonly onType: () => void }): ReactElement {
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const { find, clear, type, isTypedOver, holdsFormer } = useLookup((lookup) => lookup);
  const shown = useLookup((lookup) => lookup.text);
  const answered = useLookup((lookup) => lookup.answered);
  const isWaiting = useLookup((lookup) => lookup.answered !== lookup.sequence);
  const lendsDigits = useLookup(isUntouchedQuestion);
  const [focus] = useState(() => () => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  });
  useBeginningAnew(focus);
  // The next typed text replaces the answered one. The field holds its text itself: to select it, it must stand
  // there.
  useLayoutEffect(() => {
    if (field.current !== null && field.current.value !== shown) {
      field.current.value = shown;
      focus();
    }
  }, [focus, shown]);
  useLayoutEffect(() => {
    if (!isTypedOver()) {
      focus();
    }
  }, [answered, focus, isTypedOver]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const hits = document.querySelectorAll<HTMLElement>('.bar-hit');
    if (event.key === 'ArrowDown' && hits.length > 0) {
      event.preventDefault();
      hits[0]?.focus();
    }
    if (event.nativeEvent.isComposing || event.key !== 'Enter') {
      return;
    }
    event.preventDefault();
    if (holdsFormer()) {
      return;
    }
    const text = event.currentTarget.value;
    if (text.trim() === '') {
      clear();
    } else {
      void find(text, 'typed');
      event.currentTarget.select();
    }
  };
  return (
    <>
      <input
        ref={field}
        className="bar-field"
        type="text"
        aria-label={t('lookup.field')}
        placeholder={t('companion.invitation')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={4096}
        data-lends-digits={lendsDigits ? '' : undefined}
        onChange={(event) => {
          onType();
          type(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      {isWaiting && <Loader size="sm" />}
    </>
  );
}

/** Only when there is any: a connection that is cut, changes that wait, changes that need a person. */
function Signs(): ReactElement {
  const { t, language } = useWords();
  const { state } = useTerminal((terminal) => terminal.connection);
  const isSignedIn = useIsSignedIn();
  const parked = useTerminal((terminal) => toDecideOf(terminal.queue));
  const waiting = useTerminal((terminal) => waitingOf(terminal.queue));
  const isParked = parked > 0;
  const count = isParked ? parked : waiting;
  const queue = t(isParked ? 'queue.badge.parked' : 'queue.badge.waiting', { count });
  return (
    <div className="bar-signs" role="status">
      {!isSignedIn && state !== 'signIn' && (
        <span className="bar-sign" data-kind="warn">
          <WarningIcon size={20} /> {t('companion.notSignedIn')}
        </span>
      )}
      {(state === 'offline' || state === 'noAnswer' || state === 'signIn') && (
        <span className="bar-sign" data-kind="warn">
          {state === 'offline' ? <OfflineIcon size={20} /> : <WarningIcon size={20} />} {t(`connection.${state}`)}
        </span>
      )}
      {count > 0 && (
        <span className="bar-sign" data-kind={isParked ? 'warn' : 'calm'} title={queue}>
          {isParked ? <WarningIcon size={20} /> : <QueueIcon size={20} />} {formatNumber(count, language)}
          <span className="visually-hidden">{queue}</span>
        </span>
      )}
    </div>
  );
}

function OpenWindow({ isMain = false }: { readonly isMain?: boolean }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  return (
    <button
      type="button"
      className={isMain ? 'bar-open bar-open-main' : 'bar-open'}
      onClick={() => void bridge.call('window:show', {})}
    >
      {t('companion.open')}
    </button>
  );
}

/** Shows how the figure is being refreshed; keeps its place when it is not. */
function Improving(): ReactElement {
  const { t } = useWords();
  const isRefreshing = useLookup((lookup) => lookup.improvement === 'refreshing');
  const failure = useLookup((lookup) => (lookup.answer?.kind === 'found' ? lookup.improvementFailure : null));
  const pause = usePauseWords();
  return (
    <p className="bar-improving line-2">
      {isRefreshing ? (
        <>
          <Loader size={16} /> {pause ?? t('lookup.card.refreshing')}
        </>
      ) : (
        failure !== null && t(`failure.${failure.kind}.says`)
      )}
    </p>
  );
}

function Ready({ isTyping }: { readonly isTyping: boolean }): ReactElement {
  const answer = useLookup((lookup) => lookup.answer);
  const isSuggesting = useLookup((lookup) => lookup.suggestions.length > 0);
  const hasFailed = useLookup((lookup) => lookup.failure !== null);
  const isOlder = useLookup((lookup) => lookup.answered !== lookup.sequence);
  const answered = useLookup((lookup) => lookup.answered);
  // Nothing of another product stands below what is being typed.
  const isAnswerShown = !isTyping && (answer !== null || hasFailed);
  const box = useRef<HTMLDivElement>(null);
  useAnswerKeys(isTyping);
  // A new answer is read from its top.
  useLayoutEffect(() => {
    box.current?.scrollTo(0, 0);
  }, [answered]);
  return (
    <>
      <Announcement />
      <AnswerSignal />
      {(isAnswerShown || isSuggesting) && (
        <div className="bar-answer" data-older={isOlder}>
          <div className="bar-scroll stack-3" ref={box} tabIndex={-1}>
            {isSuggesting && <CompanionSuggestions />}
            {isAnswerShown &&
              (hasFailed ? <CompanionFailure /> : answer !== null && <CompanionAnswer answer={answer} />)}
          </div>
          <div className="bar-foot line-3">
            {isAnswerShown ? <Improving /> : <span />}
            <OpenWindow />
          </div>
        </div>
      )}
    </>
  );
}

/** The bar's window is as tall as the bar. */
function useFit(): RefObject<HTMLElement | null> {
  const { bridge } = useStores();
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      const height = Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0);
      if (height > 0) {
        void bridge.call('companion:fit', { height });
      }
    });
    if (bar.current !== null) {
      watch.observe(bar.current, { box: 'border-box' });
    }
    return () => watch.disconnect();
  }, [bridge]);
  return bar;
}

/** The bar, whatever the terminal's state. */
export function Companion(): ReactElement {
  const { t } = useWords();
  const { bridge, terminal } = useStores();
  useScans();
  useShortcutKeys();
  useActivity();
  useCallingAway();
  const bar = useFit();
  // A new answer ends the typing in the same drawing, so that it is the first of its question for the keys.
  const answered = useLookup((lookup) => lookup.answered);
  const [typedAfter, setTypedAfter] = useState<number | null>(null);
  const isTyping = typedAfter === answered;
  const phase = useTerminal((state) => state.phase);
  const isGone = useStore(terminal, (store) => store.isGone);
  const isReady = useTerminal(canLookUp) && !isGone;
  return (
    <main className="bar" ref={bar} aria-label={t('companion.name')}>
      <h1 className="visually-hidden">{t('companion.name')}</h1>
      <PracticeBand />
      <div className="bar-top line-3">
        <span className="bar-handle" title={t('companion.move')}>
          <Mark size={40} />
        </span>
        {isReady ? (
          <>
            <Field onType={() => setTypedAfter(answered)} />
            <Signs />
          </>
        ) : (
          <>
            <p className="bar-note" role="status">
              {isGone ? t('shell.gone.title') : t(phase === 'firstRun' ? 'companion.firstRun' : 'companion.signIn')}
            </p>
            <OpenWindow isMain />
          </>
        )}
        <button
          type="button"
          className="bar-away"
          title={t('companion.hide')}
          onClick={() => void bridge.call('companion:hide', {})}
        >
          <span className="visually-hidden">{t('companion.hide')}</span>
          <kbd>Esc</kbd>
        </button>
      </div>
      <BadgeNote />
      <KeyNote />
      {isReady && <Ready isTyping={isTyping} />}
    </main>
  );
}
