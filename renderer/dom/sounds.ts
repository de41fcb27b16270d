import { later as laterByClock, type Later } from './clock.ts';

export const signals = ['found', 'stale', 'notFound', 'couponOn', 'couponOff'] as const;
/** The outcome of a scan, at a glance and by ear, or of a coupon's key, by ear alone. */
export type Signal = (typeof signals)[number];

interface Tone {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly hertz: number;
}

/**
 * One short: found. One long: found, but the figure is old. Two: not found. Three that rise: the coupon is on. A long and
 * a short one that fall: it is off.
 */
export const tonesOf: Readonly<Record<Signal, readonly Tone[]>> = {
  found: [{ startMs: 0, lengthMs: 90, hertz: 1320 }],
  stale: [{ startMs: 0, lengthMs: 420, hertz: 880 }],
  notFound: [
    { startMs: 0, lengthMs: 140, hertz: 440 },
    { startMs: 220, lengthMs: 140, hertz: 440 },
  ],
  couponOn: [
    { startMs: 0, lengthMs: 60, hertz: 880 },
    { startMs: 100, lengthMs: 60, hertz: 1175 },
    { startMs: 200, lengthMs: 60, hertz: 1568 },
  ],
  couponOff: [
    { startMs: 0, lengthMs: 300, hertz: 784 },
    { startMs: 340, lengthMs: 90, hertz: 523 },
  ],
};

/** A tone that begins or ends at once would click. */
const fadeMs = 8;
/** A square wave is heard over a shop's noise, and is loud by itself. */
const loudest = 0.25;

/** How strong the tones of a volume from 0 to 100 are; an ear hears steps of the square as even ones. */
export function gainOf(volume: number): number {
  return loudest * (Math.min(100, Math.max(0, volume)) / 100) ** 2;
}

/** An open device is fed hundreds of times a second, sound or none. */
const silenceMs = 5_000;

export interface SoundPlayer {
  /**
   * Plays over nothing: what still sounds is cut off. Does nothing at volume 0, before anybody has touched the page,
   * and without a device.
   */
  play(signal: Signal, volume: number): void;
}

/** A player that opens the machine's sound when it has one to play, and closes it after a silence. */
export function createSoundPlayer(
  page: Window & { readonly AudioContext?: typeof AudioContext },
  later: Later = laterByClock,
): SoundPlayer {
  let context: AudioContext | null = null;
  let stayOpen = (): void => undefined;
  let playing: OscillatorNode[] = [];

  const sound = (audio: AudioContext, signal: Signal, volume: number): void => {
    playing.forEach((oscillator) => oscillator.stop());
    const output = audio.createGain();
    output.gain.value = gainOf(volume);
    output.connect(audio.destination);
    playing = tonesOf[signal].map(({ startMs, lengthMs, hertz }) => {
      const start = audio.currentTime + startMs / 1000;
      const end = start + lengthMs / 1000;
      const fade = audio.createGain();
      fade.gain.setValueAtTime(0, start);
      fade.gain.linearRampToValueAtTime(1, start + fadeMs / 1000);
      fade.gain.setValueAtTime(1, end - fadeMs / 1000);
      fade.gain.linearRampToValueAtTime(0, end);
      const oscillator = audio.createOscillator();
      oscillator.type = 'square';
      oscillator.frequency.value = hertz;
      oscillator.connect(fade).connect(output);
      oscillator.start(start);
      oscillator.stop(end);
      return oscillator;
    });
  };

  return {
    play(signal, volume) {
      // Chromium complains on the console about sound that nobody has touched the page for.
      if (volume <= 0 || page.AudioContext === undefined || !page.navigator.userActivation.hasBeenActive) {
        return;
      }
      try {
        context ??= new page.AudioContext();
        const audio = context;
        stayOpen();
        stayOpen = later(silenceMs, () => {
          context = null;
          void audio.close();
        });
        if (audio.state === 'running') {
          sound(audio, signal, volume);
        } else {
          // After sleep, or a device that was taken out; a sound that comes much later would belong to nothing.
          void audio.resume().then(
            () => sound(audio, signal, volume),
            () => undefined,
          );
        }
      } catch {
        context = null;
      }
    },
  };
}
