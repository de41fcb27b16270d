import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { useStores, useWords } from '../stores/context.tsx';
import { keysOf } from '../stores/shortcuts.ts';

/** Why the key that was pressed last has done nothing; seen for a while, and read out. */
export function KeyNote(): ReactElement {
  const { t } = useWords();
  const note = useStore(useStores().answerKeys, (keys) => keys.note);
  return (
    // Always there, so that what is put into it is announced.
    <div className="key-note" role="status" data-empty={note === null}>
      {note !== null && (
        <span key={note.number}>{t(`ui.keyNote.${note.why}`, { keys: keysOf(note.id).join(' + ') })}</span>
      )}
    </div>
  );
}
