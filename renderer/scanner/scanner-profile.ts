import { createListeners } from '../../app/domain/listeners.ts';
/** The key that ends a scan; `unknown` before enough scans have ended alike. */
export type ScanEnd = 'enter' | 'tab' | 'none' | 'unknown';

export interface SentScan {
  /** The times between its keys, in milliseconds; with the last one before the key that ended it. */
  readonly gapsMs: readonly number[];
  readonly end: Exclude<ScanEnd, 'unknown'>;
}

/** Measures of the scanner by its last hundred scans. Times in milliseconds; null before the first scan. */
export interface ScannerProfile {
  readonly scans: number;
  readonly paceMs: number | null;
  readonly widestGapMs: number | null;
  readonly pausedScans: number;
  readonly end: ScanEnd;
}

export interface ScannerLearner {
  /** Learns from a scan; `replaces` the last one when more of the same scan has come. */
  readonly take: (scan: SentScan, replaces: boolean) => void;
  /** The same object until something more is learnt. */
  readonly profile: () => ScannerProfile;
  /** Calls back whenever something was learnt, until the answered function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

interface LearntScan {
  readonly medianGapMs: number;
  readonly widestGapMs: number;
  readonly end: SentScan['end'];
}

const scansKept = 100;
/** A gap of more than this within a scan is a pause. */
const pauseMs = 80;
/** So many scans that end alike tell how the next one ends. */
const scansToLearn = 3;

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Knows nothing yet. */
export function createScannerLearner(): ScannerLearner {
  let scans: readonly LearntScan[] = [];
  let known: ScannerProfile | null = null;
  const { add: subscribe, emit } = createListeners();
  const read = (): ScannerProfile => {
    const last = scans.slice(-scansToLearn);
    const [first] = last;
    return {
      scans: scans.length,
      paceMs: medianOf(scans.map(({ medianGapMs }) => medianGapMs)),
      widestGapMs: scans.length === 0 ? null : Math.max(...scans.map(({ widestGapMs }) => widestGapMs)),
      pausedScans: scans.filter(({ widestGapMs }) => widestGapMs > pauseMs).length,
      end:
        first !== undefined && last.length === scansToLearn && last.every(({ end }) => end === first.end)
          ? first.end
          : 'unknown',
    };
  };
  return {
    take({ gapsMs, end }, replaces) {
      const learnt = { medianGapMs: medianOf(gapsMs) ?? 0, widestGapMs: Math.max(0, ...gapsMs), end };
      scans = [...(replaces ? scans.slice(0, -1) : scans), learnt].slice(-scansKept);
      known = null;
      emit();
    },
    profile() {
      known ??= read();
      return known;
    },
    subscribe,
  };
}
