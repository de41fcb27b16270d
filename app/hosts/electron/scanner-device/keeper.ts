//     off ──use──▶ connecting ──opened──▶ connected ──closed──▶ absent
//                     ▲    └─ absent, refused, unsuited ─┐          │
//                     └────── after 0.5, 1, 2, 4, 5, 5… s ┴──────────┘
//
//   K1  At most one page, and none while no device is chosen and nobody lists them; another choice begins with another page.
//   K2  One opening at a time, and it ends: a page that does not answer is given up.
//   K3  The pauses begin anew only after a connection that has lasted: a device that comes and goes is not tried without end.
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

/** Begins with nothing chosen; opens no page before `begin`. */
export function createScannerKeeper({ clock, openPage }: KeeperParts): ScannerKeeper {
  let listener: Parameters<ScannerDevices['listen']>[0] = { changed: () => undefined, read: () => undefined };
  let choice: ScannerDeviceChoice | null = null;
  let connection: ScannerConnection = 'off';
  let page: DevicePage | null = null;
  let timer: Timer | null = null;
  let failures = 0;
  let connectedAtMs = 0;
  let listings = 0;
  let hasBegun = false;
  // What an earlier page, or an earlier opening of this one, still says is nobody's.
  let epoch = 0;

  function stand(next: ScannerConnection): void {
    if (next !== connection) {
      connection = next;
      listener.changed();
    }
  }

  function pageNow(): DevicePage {
    if (page === null) {
      const mine = openPage({
        onReading: (reading) => {
          if (page === mine && connection === 'connected') {
            listener.read(reading);
          }
        },
        onClosed: () => {
          if (page === mine && connection === 'connected') {
            if (clock.uptimeMs() - connectedAtMs >= lastingMs) {
              failures = 0; // K3
            }
            fail('absent');
          }
        },
      });
      page = mine;
    }
    return page;
  }

  function dropPage(): void {
    page?.close();
    page = null;
  }

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
      dropPage();
      fail('refused');
    });
    void pageNow()
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
    dropPage(); // K1
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
        return await Promise.race([
          pageNow().list(),
          new Promise<readonly ScannerDevice[]>((resolve) => {
            clock.after(listDeadlineMs, () => resolve([]));
          }),
        ]);
      } finally {
        listings -= 1;
        if (choice === null && listings === 0) {
          dropPage(); // K1
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
