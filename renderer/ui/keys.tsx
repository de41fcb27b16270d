import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { keysOf, type ShortcutId } from '../stores/shortcuts.ts';
import { ArrowIcon } from './icons.tsx';

/** Arrows are drawn: the font has none. The character is for screen readers. */
export function KeyCap({ name }: { readonly name: string }): ReactElement {
  return '↑→↓←'.includes(name) ? (
    <kbd data-arrow={name}>
      <span className="visually-hidden">{name}</span>
      <ArrowIcon size={14} />
    </kbd>
  ) : (
    <kbd>{name}</kbd>
  );
}

/** Each key on a cap of its own. */
export function KeyCaps({ keys }: { readonly keys: readonly string[] }): ReactElement {
  return (
    <span className="key-caps">
      {keys.map((key) => (
        <KeyCap key={key} name={key} />
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

/** The keys of a shortcut as they stand on the keyboard; of `Control+Alt+Space` they are Ctrl, Alt and Space. */
export function useKeyNames(): (shortcut: string) => string[] {
  const { t } = useWords();
  const names: Readonly<Record<string, string>> = {
    Control: 'Ctrl',
    Shift: t('companion.settings.shift'),
    Space: t('companion.settings.space'),
    Super: navigator.userAgent.includes('Mac') ? '⌘' : 'Win',
    Up: '↑',
    Down: '↓',
    Left: '←',
    Right: '→',
    PageUp: 'Page Up',
    PageDown: 'Page Down',
  };
  return (shortcut) => shortcut.split('+').map((key) => names[key] ?? key);
}
