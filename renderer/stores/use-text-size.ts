import { textSizes, type TextSize } from '../../app/contract/limits/look.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { useTerminal } from './context.tsx';
import { useSetting, type Setting } from './use-setting.ts';
import { useShortcut } from './use-shortcut.ts';

/** How large text is drawn. */
export function useTextSize(): Setting<TextSize, TextSize> {
  return useSetting('textSize', (state: TerminalState) => state.textSize);
}

/** The keys that change the size of the text. A browser keeps them for its own zoom, which it remembers itself. */
export function useTextSizeKeys(): void {
  const hasZoom = useTerminal((state) => state.host === 'browser');
  const { value, save } = useTextSize();
  const choose = (size: TextSize | undefined): void => {
    if (size !== undefined && size !== value) {
      void save(size);
    }
  };
  const step = (by: number): (() => void) | null =>
    hasZoom ? null : () => choose(textSizes[textSizes.indexOf(value) + by]);
  useShortcut('largerText', step(1));
  useShortcut('smallerText', step(-1));
  useShortcut('normalText', hasZoom ? null : () => choose('normal'));
}
