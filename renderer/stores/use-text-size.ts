import { textSizes, type TextSize } from '../../app/contract/limits/look.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { useTerminal } from './context.tsx';
import { useSetting, type Setting } from './use-setting.ts';
import { useShortcut } from './use-shortcut.ts';

/** How large text is drawn. */
export function useTextSize(): Setting<TextSize, TextSize> {
  return useSetting('textSize', (state: TerminalState) => state.textSize);
}

/** Whether keys change the size of the text. A browser has them for its own zoom, which it remembers itself. */
export function useHasTextSizeKeys(): boolean {
  return useTerminal((state) => state.host === 'electron');
}

/** Hears the keys that change the size of the text. */
export function useTextSizeKeys(): void {
  const hasKeys = useHasTextSizeKeys();
  const { value, save } = useTextSize();
  const choose = (size: TextSize | undefined): void => {
    if (size !== undefined && size !== value) {
      void save(size);
    }
  };
  const step = (by: number): (() => void) | null =>
    hasKeys ? () => choose(textSizes[textSizes.indexOf(value) + by]) : null;
  useShortcut('largerText', step(1));
  useShortcut('smallerText', step(-1));
  useShortcut('normalText', hasKeys ? () => choose('normal') : null);
}
