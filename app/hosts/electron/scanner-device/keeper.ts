//     off ──use──▶ connecting ──opened──▶ connected ──closed──▶ absent
//                     ▲    └─ absent, refused, unsuited ─┐          │
//                     └────── after 0.5, 1, 2, 4, 5, 5… s ┴──────────┘
//
//   K1  At most one page, and none while no device is chosen and nobody lists them; another choice begins with another
//       page.
//   K2  One opening at a time, and it ends: a page that does not answer is given up.
//   K3  The pauses begin anew only after a connection that has lasted: a device that comes and goes is not tried
//       without end.
import { backoffMs } from '../../../domain/backoff.ts';
import type {
  ScannerConnection,
  ScannerDevice,
  ScannerDeviceChoice,
  ScannerReading,
} from '../../../domain/scanner-device.ts';
import type { Clock, ScannerDevices, Timer } from '../../../ports.ts';
import type { OpenOutcome } from './messages.ts';

/** The hidden page that holds the device. */
export interface DevicePage {
  /** Opens the chosen device. Never rejects. */
  open(choice: ScannerDeviceChoice): Promise<OpenOutcome>;
  /** Those that are present. Never rejects. */
  list(): Promise<readonly ScannerDevice[]>;
  /** Closes the page, and with it the device. */
  close(): void;
}

export interface PageListener {
  readonly onReading: (reading: ScannerReading) => void;
  /** The device, or the page itself, is gone. */
  readonly onClosed: () => void;
}

export interface KeeperParts {
  readonly clock: Clock;
  readonly openPage: (listener: PageListener) => DevicePage;
}

const firstPauseMs = 500;
const maxPauseMs = 5000;
const lastingMs = 5000;
const openDeadlineMs = 10_000;
const listDeadlineMs = 5000;

export interface ScannerKeeper extends ScannerDevices {
  /** From now on there may be a page. */
  begin(): void;
  close(): void;
}

/** K1: at most one page is open, and only that one is listened to. */
function createOnePage(openPage: KeeperParts['openPage'], { onReading, onClosed }: PageListener) {
  let page: DevicePage | null = null;

  function open(): DevicePage {
    const mine = openPage({
      onReading: (reading) => {
        if (page === mine) {
          onReading(reading);
        }
      },
      onClosed: () => {
        if (page === mine) {
          onClosed();
        }
      },
    });
    return mine;
  }

  return {
    /** The page that is open; opens it where there is none. */
    now: (): DevicePage => (page ??= open()),
    drop: () => {
      page?.close();
      page = null;
    },
  };
}

function noneAtDeadline(clock: Clock): Promise<readonly ScannerDevice[]> {
  return new Promise((resolve) => {
    clock.after(listDeadlineMs, () => resolve([]));
  });
}

/** Begins with nothing chosen; opens no page before `begin`. */
export function createScannerKeeper({ clock, openPage }: KeeperParts): ScannerKeeper {
  let listener: Parameters<ScannerDevices['listen']>[0] = { changed: () => undefined, read: () => undefined };
  let choice: ScannerDeviceChoice | null = null;
  let connection: ScannerConnection = 'off';
  let timer: Timer | null = null;
  let failures = 0;
  let connectedAtMs = 0;
  let listings = 0;
  let hasBegun = false;
  // The answer to an earlier opening is dropped.
  let epoch = 0;

  function stand(next: ScannerConnection): void {
    if (next !== connection) {
      connection = next;
      listener.changed();
    }
  }

  const page = createOnePage(openPage, {
    onReading: (reading) => {
      if (connection === 'connected') {
        listener.read(reading);
      }
    },
    onClosed: () => {
      if (connection === 'connected') {
        if (clock.uptimeMs() - connectedAtMs >= lastingMs) {
          failures = 0; // K3
        }
        fail('absent');
      }
    },
  });

  function fail(outcome: Exclude<OpenOutcome, 'opened'>): void {
    epoch += 1;
    stand(outcome);
    timer?.cancel();
    timer = clock.after(backoffMs(failures, firstPauseMs, maxPauseMs), connect);
    failures += 1;
  }

  function connect(): void {
    timer?.cancel();
    if (choice === null || !hasBegun) {
      return;
    }
    epoch += 1;
    const mine = epoch;
    // K2
    timer = clock.after(openDeadlineMs, () => {
      page.drop();
      fail('refused');
    });
    void page
      .now()
      .open(choice)
      .then((outcome) => {
        if (mine !== epoch) {
          return;
        }
        if (outcome === 'opened') {
          timer?.cancel();
          connectedAtMs = clock.uptimeMs();
          stand('connected');
        } else {
          fail(outcome);
        }
      });
  }

  function leave(): void {
    epoch += 1;
    timer?.cancel();
    timer = null;
    failures = 0;
    page.drop(); // K1
  }

  return {
    listen: (next) => {
      listener = next;
    },
    connection: () => connection,
    use: (next) => {
      if (JSON.stringify(next) === JSON.stringify(choice)) {
        return;
      }
      leave();
      choice = next;
      stand(next === null ? 'off' : 'connecting');
      connect();
    },
    list: async () => {
      if (!hasBegun) {
        return [];
      }
      listings += 1;
      try {
        return await Promise.race([page.now().list(), noneAtDeadline(clock)]);
      } finally {
        listings -= 1;
        if (choice === null && listings === 0) {
          page.drop(); // K1
        }
      }
    },
    begin: () => {
      hasBegun = true;
      connect();
    },
    close: () => {
      hasBegun = false;
      choice = null;
      leave();
    },
  };
}
