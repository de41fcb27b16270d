// The notice that the disk refuses, and until when it stands: a write that changes nothing is tried at the opening of a
// store, and after a refusal once a minute.
import type { Clock, Timer } from '../ports.ts';
import { onlyStorageError, type StorageError } from './database.ts';

/** How the disk takes what this terminal keeps: all of it; no more than it has; or not at all, or not always. */
export type DiskState = 'fine' | 'full' | 'refusing';

export type DiskWatch = ReturnType<typeof createDiskWatch>;

export interface DiskWatchParts {
  readonly clock: Clock;
  /** Throws StorageError. */
  readonly tryWriting: () => void;
  readonly onChange: (state: DiskState) => void;
}

const lookAgainMs = 60_000;

function stateAfter({ isDamage, failure }: StorageError): DiskState {
  if (isDamage) {
    return 'fine';
  }
  switch (failure.kind) {
    case 'storageFull':
      return 'full';
    case 'storageFailed':
      return 'refusing';
    default:
      return 'fine';
  }
}

/** Begins with a disk that is fine; nothing is tried before the first look. */
export function createDiskWatch({ clock, tryWriting, onChange }: DiskWatchParts) {
  let state: DiskState = 'fine';
  let timer: Timer | null = null;
  let isClosed = false;

  function lookLater(): void {
    if (!isClosed) {
      timer ??= clock.after(lookAgainMs, () => {
        timer = null;
        look();
      });
    }
  }

  function become(next: DiskState): void {
    if (next !== 'fine') {
      lookLater();
    }
    if (next !== state) {
      state = next;
      onChange(state);
    }
  }

  function look(): void {
    if (isClosed) {
      return;
    }
    try {
      tryWriting();
      become('fine');
    } catch (error) {
      // Also where another program holds a file: what the opening could not add is added once it lets go.
      lookLater();
      become(stateAfter(onlyStorageError(error)));
    }
  }

  return {
    state: (): DiskState => state,
    /** Something could not be read or written. */
    note: (error: StorageError) => {
      const after = stateAfter(error);
      if (after !== 'fine' && !isClosed) {
        become(after);
      }
    },
    /** Tries to write now. */
    look,
    close: () => {
      isClosed = true;
      timer?.cancel();
    },
  };
}
