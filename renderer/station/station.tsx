// The customer's screen while the check station is on. Everything that must not be reached is refused by the main
// process; here no key, gesture or menu leads anywhere either.
import { useCallback, useEffect, useRef, useState, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { languages } from '../../app/domain/language.ts';
import { later } from '../dom/clock.ts';
import { useTypedInto } from '../dom/focus.ts';
import { PracticeBand } from '../practice/practice-banner.tsx';
import { useScans } from '../scanner/use-scans.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { ScanIcon } from '../ui/icons.tsx';
import { ownNames } from '../ui/language-choice.tsx';
import { LeaveCorner, LeaveDialog } from './leave-station.tsx';
import { spokenStation, StationAnswer } from './station-answer.tsx';
import { StationKeypad } from './station-keypad.tsx';
import { createStationStore, type StationStore } from './station-store.ts';
import './station.css';

const editing: ReadonlySet<string> = new Set([
  'Backspace',
  'Delete',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Tab',
  'Enter',
  'Escape',
  'Shift',
]);

/** Keys of the browser's or the system's own do nothing: function keys, chords, zoom, menus, drag and drop. */
function useHarmlessPage(): void {
  useEffect(() => {
    const refuse = (event: Event): void => event.preventDefault();
    const refuseKey = (event: KeyboardEvent): void => {
      const isTyped = event.key.length === 1 || editing.has(event.key);
      const isChord = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
      if (!isTyped || isChord) {
        event.preventDefault();
      }
    };
    const refuseZoom = (event: WheelEvent): void => {
      if (event.ctrlKey) {
        event.preventDefault();
      }
    };
    const refused = ['contextmenu', 'dragstart', 'dragover', 'drop', 'auxclick'] as const;
    refused.forEach((name) => window.addEventListener(name, refuse, true));
    window.addEventListener('keydown', refuseKey, true);
    window.addEventListener('wheel', refuseZoom, { passive: false });
    return () => {
      refused.forEach((name) => window.removeEventListener(name, refuse, true));
      window.removeEventListener('keydown', refuseKey, true);
      window.removeEventListener('wheel', refuseZoom);
    };
  }, []);
}

/** The station's own store, which every scan goes to; each use of the page begins its time anew. */
function useStation(onClear: () => void) {
  const { bridge, scans, terminal } = useStores();
  const [store] = useState(() =>
    createStationStore({
      bridge,
      later,
      clearAfterSeconds: () => terminal.getState().state?.station.clearAfterSeconds ?? 0,
      onClear,
    }),
  );
  useEffect(() => {
    const { find, showPieces, touch, clear } = store.getState();
    const giveBack = scans
      .getState()
      .divert({ take: (text) => (text === null ? showPieces() : void find(text)), withdraw: () => undefined });
    const clearByKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !store.getState().isLeaving) {
        clear();
      }
    };
    window.addEventListener('keydown', touch, true);
    window.addEventListener('pointerdown', touch, true);
    window.addEventListener('keydown', clearByKey);
    return () => {
      giveBack();
      window.removeEventListener('keydown', touch, true);
      window.removeEventListener('pointerdown', touch, true);
      window.removeEventListener('keydown', clearByKey);
      clear();
    };
  }, [scans, store]);
  return store;
}

/** It has the focus at first and after each answer. */
function useReadyField(isLeaving: boolean, answered: number) {
  const field = useRef<HTMLInputElement>(null);
  useTypedInto(field);
  useEffect(() => {
    if (!isLeaving) {
      field.current?.focus({ preventScroll: true });
    }
  }, [isLeaving, answered]);
  return field;
}

/** The languages by their own names; the shop's is back when the screen is empty again. */
function LanguageButtons(): ReactElement {
  const { t, language } = useWords();
  const { i18n } = useTranslation();
  return (
    <div className="station-languages" role="group" aria-label={t('settings.language')}>
      {languages.map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          aria-pressed={one === language}
          onClick={() => void i18n.changeLanguage(one)}
        >
          {ownNames[one]}
        </button>
      ))}
    </div>
  );
}

function Invitation(): ReactElement {
  const { t } = useWords();
  return (
    <div className="station-invitation">
      <ScanIcon size={140} />
      <p>{t('station.invitation')}</p>
    </div>
  );
}

/** Announces each answer, also the same one again. */
function Spoken({ answered, words }: { readonly answered: number; readonly words: string }): ReactElement {
  return (
    <p className="visually-hidden" role="status" aria-atomic="true">
      <span key={answered}>{words}</span>
    </p>
  );
}

export function Station(): ReactElement {
  useScans();
  useHarmlessPage();
  const { t, language } = useWords();
  const { i18n } = useTranslation();
  const { terminal } = useStores();
  const greeting = useTerminal((state) => state.station.greeting.trim());
  const isGone = useStore(terminal, (store) => store.isGone);
  const backToShops = useCallback((): void => {
    const shops = terminal.getState().state?.language;
    if (shops !== undefined && i18n.language !== shops) {
      void i18n.changeLanguage(shops);
    }
  }, [i18n, terminal]);
  const store = useStation(backToShops);
  const { typed, shown, answered, isLeaving, type, find, leave, clear } = useStore(store);
  const field = useReadyField(isLeaving, answered);
  const ask = useCallback(() => store.getState().leave(true), [store]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = 'Tillside';
  }, [language]);
  const content: StationStore['shown'] = isGone ? { kind: 'askUs' } : shown;
  return (
    <div className="station">
      <PracticeBand />
      <header className="station-head">
        <LeaveCorner ask={ask} />
        <h1>{greeting === '' ? t('station.greeting') : greeting}</h1>
        <LanguageButtons />
      </header>
      <main className="station-main" aria-label={t('station.name')}>
        <div className="station-answer" data-is-empty={content === null}>
          {content === null ? <Invitation /> : <StationAnswer shown={content} />}
          {shown !== null && (
            <button type="button" className="station-done" onClick={clear}>
              {t('station.done')}
            </button>
          )}
        </div>
        <StationKeypad field={field} typed={typed} type={type} find={(text) => void find(text)} />
      </main>
      <Spoken answered={answered} words={spokenStation(content, t, language)} />
      <LeaveDialog isOpen={isLeaving} close={() => leave(false)} />
    </div>
  );
}
