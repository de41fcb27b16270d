import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';

/** Takes the practice store's network down and up. */
export function PracticeNetwork({ className }: { readonly className: string }): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const { terminal } = useStores();
  const practice = useTerminal((state) => state.practice);
  const isGone = useStore(terminal, (store) => store.isGone);
  return practice === null ? null : (
    <button
      type="button"
      className={className}
      disabled={isGone}
      onClick={() => void bridge.call('practice:setNetwork', { isDown: !practice.isNetworkDown })}
    >
      {t(practice.isNetworkDown ? 'practice.bringNetworkUp' : 'practice.takeNetworkDown')}
    </button>
  );
}

/** Dialogs and what is said above them begin below the band, however many lines its words take: `--band-height`. */
function leaveRoom(band: HTMLElement): () => void {
  const { style } = document.documentElement;
  const measure = (): void => style.setProperty('--band-height', `${Math.ceil(band.getBoundingClientRect().height)}px`);
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(band);
  return () => {
    observer.disconnect();
    // The one above a terminal that does not answer leaves the page's own behind.
    if ([...document.querySelectorAll('.practice-band')].every((other) => other === band)) {
      style.removeProperty('--band-height');
    }
  };
}

/** Hatched, above everything, on every screen of the practice store. */
export function PracticeBand({ withNetwork = false }: { readonly withNetwork?: boolean }): ReactElement | null {
  const { t } = useWords();
  const { terminal } = useStores();
  // It also stands above what is shown when the terminal does not answer, perhaps before it ever did.
  const mode = useStore(terminal, (store) => store.state?.mode ?? null);
  const isNetworkDown = useStore(terminal, (store) => store.state?.practice?.isNetworkDown ?? false);
  return mode === 'practice' ? (
    <aside ref={leaveRoom} className="practice-band" aria-label={t('practice.name')}>
      <p>
        <strong>{t('practice.name')}</strong>{' '}
        <span>{t(isNetworkDown ? 'practice.isNetworkDown' : 'practice.text')}</span>
      </p>
      {withNetwork && <PracticeNetwork className="practice-network" />}
    </aside>
  ) : null;
}
