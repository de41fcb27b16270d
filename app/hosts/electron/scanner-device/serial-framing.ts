// Where a scan ends in a stream of bytes from a serial port. Pure but for the timer that it is given.
//
//     empty ──byte──▶ filling ──terminator───────────────────────────▶ emitted, empty
//                        │ ──silence, no terminator known yet────────▶ emitted, empty
//                        │ ──silence, though this scanner ends its scans──▶ emitted as cut, discarding
//                        └ ──bytes were lost, or too many────────────▶ emitted as damaged, discarding
//     discarding ──terminator, or a long silence──▶ empty
//
//   F1  CR, LF and TAB end a scan, each alone or one after the other; an end without a scan is nothing.
//   F2  A scanner that has ended one scan with a terminator ends each with one: what stands without it is cut, and
//       marked so (`lossMark`).
//   F3  What comes after a cut or a loss may be the rest of the same scan; it is never a scan of its own.
//   F4  Silence is measured awake: a timer that fires late proves nothing, for bytes may have waited as it did.
import {
  decodeScan,
  lossMark,
  maxReadingLength,
  readingOf,
  type ScannerReading,
} from '../../../domain/scanner-device.ts';
import type { ReaderTime } from './device-apis.ts';

/** Longer than the pauses of a Bluetooth or remote link within a scan. */
export const silenceMs = 650;
/** The rest of a damaged scan has come by then. */
export const discardMs = 2000;
const lateMs = 50;
const terminators = new Set([0x0d, 0x0a, 0x09]);
/**
 * NUL, STX, ETX: some scanners frame a scan in the latter two, and a line that is plugged in may begin with the first.
 */
const framing = new Set([0x00, 0x02, 0x03]);

/** Calls back with each scan. */
export function createSerialFraming(time: ReaderTime, onReading: (reading: ScannerReading) => void) {
  let bytes: number[] = [];
  let hasTerminator = false;
  let isDiscarding = false;
  // Whether the scan that is being discarded has been answered as not readable.
  let isLossReported = false;
  let cancel: () => void = () => undefined;

  function emit(isWhole: boolean): void {
    const first = bytes.findIndex((byte) => !framing.has(byte));
    const last = bytes.findLastIndex((byte) => !framing.has(byte));
    const text = first === -1 ? '' : decodeScan(Uint8Array.from(bytes.slice(first, last + 1)));
    bytes = [];
    if (text !== '' || !isWhole) {
      onReading(readingOf(isWhole ? text : `${text.slice(0, maxReadingLength - 8)}${lossMark}`));
    }
  }

  function discard(): void {
    if (!isDiscarding) {
      isLossReported = bytes.length > 0;
      isDiscarding = true; // F3
    }
    if (bytes.length > 0) {
      emit(false);
    }
  }

  function silent(): void {
    if (isDiscarding) {
      isDiscarding = false;
    } else if (hasTerminator) {
      discard(); // F2
      wait();
    } else {
      emit(true);
    }
  }

  function wait(): void {
    cancel();
    if (bytes.length === 0 && !isDiscarding) {
      return;
    }
    const delayMs = isDiscarding ? discardMs : silenceMs;
    const dueMs = time.now() + delayMs;
    cancel = time.later(delayMs, () => {
      if (time.now() - dueMs > lateMs) {
        wait(); // F4
      } else {
        silent();
      }
    });
  }

  function end(): void {
    const hadBytes = bytes.length > 0;
    if (isDiscarding) {
      isDiscarding = false;
      hasTerminator = true;
    } else if (hadBytes) {
      hasTerminator = true;
      emit(true);
    } // F1
  }

  return {
    take: (chunk: Uint8Array) => {
      for (const byte of chunk) {
        if (terminators.has(byte)) {
          end();
        } else if (isDiscarding) {
          if (!isLossReported) {
            isLossReported = true;
            emit(false);
          }
        } else {
          bytes.push(byte);
          if (bytes.length > maxReadingLength) {
            discard();
          }
        }
      }
      wait();
    },
    /** The port lost bytes: an overrun, a break, a framing or parity error. */
    lose: () => {
      discard();
      wait();
    },
    /** The port is gone: what has not ended is no scan. */
    close: () => {
      cancel();
      bytes = [];
      isDiscarding = false;
    },
  };
}
