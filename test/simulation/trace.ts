import { createHash } from 'node:crypto';

export interface TraceLine {
  readonly atMs: number;
  readonly text: string;
}

export interface Trace {
  add(text: string): void;
  lines(): readonly TraceLine[];
  /** The hash of all lines so far, 16 hexadecimal digits. */
  hash(): string;
}

/** Writes a virtual time as hours, minutes and seconds. */
export function formatTime(timeMs: number): string {
  const seconds = (timeMs % 60_000) / 1000;
  const [hours, minutes] = [Math.floor(timeMs / 3_600_000), Math.floor(timeMs / 60_000) % 60];
  return `${String(hours)}:${String(minutes).padStart(2, '0')}:${seconds.toFixed(3).padStart(6, '0')}`;
}

/** Writes lines as a person reads them. */
export function formatLines(lines: readonly TraceLine[]): string {
  return lines.map(({ atMs, text }) => `${formatTime(atMs)} ${text}`).join('\n');
}

/** Makes an empty trace. */
export function createTrace(nowMs: () => number): Trace {
  const lines: TraceLine[] = [];
  return {
    add: (text) => {
      lines.push({ atMs: nowMs(), text });
    },
    lines: () => lines,
    hash: () => {
      const hash = createHash('sha256');
      for (const { atMs, text } of lines) {
        hash.update(`${String(atMs)} ${text}\n`);
      }
      return hash.digest('hex').slice(0, 16);
    },
  };
}
