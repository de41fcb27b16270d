// Owns how the keys of a shortcut are written beside what they do. Never hears them.
import type { ReactElement } from 'react';
import { keysOf, type ShortcutId } from '../shortcuts.ts';

/** Each key on a cap of its own. */
export function KeyCaps({ keys }: { readonly keys: readonly string[] }): ReactElement {
  return (
    <span className="key-caps">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

/** The keys of a shortcut, for the eye alone: `aria-keyshortcuts` tells them to screen readers. */
export function KeyHint({ of }: { readonly of: ShortcutId }): ReactElement {
  return (
    <span className="key-hint" aria-hidden="true">
      <KeyCaps keys={keysOf(of)} />
    </span>
  );
}
