import { useCallback } from 'react';
import { afterPainting } from '../dom/after-painting.ts';
import { createSoundPlayer, type Signal } from '../dom/sounds.ts';
import { useStores } from '../stores/context.tsx';

/** The page's one player. */
export const soundPlayer = createSoundPlayer(window);

/** Plays a signal as the settings have it, after the next frame: opening the machine's sound takes longer than one. */
export function useSound(): (signal: Signal) => void {
  const { terminal } = useStores();
  return useCallback(
    (signal) => {
      const sounds = terminal.getState().state?.sounds;
      if (sounds?.isOn === true) {
        afterPainting(() => soundPlayer.play(signal, sounds.volume));
      }
    },
    [terminal],
  );
}
