import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { useStores, useWords } from '../stores/context.tsx';
import { keysOf } from '../stores/shortcuts.ts';

/** Why the key that was pressed last has done nothing; seen for a while, and read out. */
export function KeyNote(): ReactElement {
  const { t } = useWords();
  const said = useStore(useStores().answerKeys, (keys) => keys.said);
  return (
    // Always there, so that what is put into it is announced.
    <div className="key-note" role="status" data-empty={said === null}>
      {said !== null && (
        <span key={said.number}>{t(`ui.keyNote.${said.why}`, { keys: keysOf(said.id).join(' + ') })}</span>
      )}
    </div>
  );
}
