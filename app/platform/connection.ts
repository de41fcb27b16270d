import { backoffMs } from '../domain/backoff.ts';
import { createListeners } from '../domain/listeners.ts';
import type { ConnectionState } from '../contract/terminal-state.ts';
import { isNetworkFailure, type Failure } from '../domain/failure.ts';
import type { Clock, Random, Timer } from '../ports.ts';

const firstProbeMs = 3_000;
const maxProbeMs = 15_000;
/** An outage that has lasted so long is looked at less often: whoever scans or signs in asks sooner. */
const longOutageMs = 600_000;
const longOutageProbeMs = 60_000;

export interface Connection {
  state(): ConnectionState;
  /** How many exchanges have succeeded in this run; two readings that differ prove that others get through. */
  successes(): number;
  /** When the platform last answered in this run, as an uptime; null before that. */
  answeredMs(): number | null;
  /** Tells the outcome of an exchange: null when the platform answered, whatever it answered. */
  report(failure: Failure | null): void;
  /**
   * Nobody is to ask by itself whether it is offline still: what was known of that is given up, and the next call will
   * tell.
   */
  doubt(): void;
  onChange(listener: (state: ConnectionState) => void): void;
  close(): void;
}

/**
 * Tracks the connection; `probe` is called while offline, first after 3 s, then at growing distances up to 15 s, and
 * after ten minutes once a minute.
 */
export function createConnection(
  ports: { readonly clock: Clock; readonly random: Random },
  probe: () => void,
): Connection {
  const { clock, random } = ports;
  const { add: onChange, emit } = createListeners<[ConnectionState]>();
  let state: ConnectionState = { state: 'unknown', since: clock.now(), failure: null };
  let successes = 0;
  let answeredMs: number | null = null;
  let probes = 0;
  let offlineSinceMs: number | null = null;
  let timer: Timer | null = null;

  function move(next: ConnectionState['state'], failure: Failure | null): void {
    const isSame = state.state === next;
    state = { state: next, since: isSame ? state.since : clock.now(), failure };
    if (!isSame) {
      emit(state);
    }
  }

  function scheduleProbe(): void {
    const isLong = offlineSinceMs !== null && clock.uptimeMs() - offlineSinceMs >= longOutageMs;
    const probeMs = isLong ? longOutageProbeMs : backoffMs(probes, firstProbeMs, maxProbeMs);
    timer ??= clock.after(probeMs * (0.8 + 0.4 * random.fraction()), () => {
      timer = null;
      probes += 1;
      scheduleProbe();
      probe();
    });
  }

  function rest(): void {
    timer?.cancel();
    timer = null;
    probes = 0;
    offlineSinceMs = null;
  }

  return {
    state: () => state,
    successes: () => successes,
    answeredMs: () => answeredMs,
    report: (failure) => {
      if (failure !== null && isNetworkFailure(failure)) {
        offlineSinceMs ??= clock.uptimeMs();
        move('offline', failure);
        scheduleProbe();
        return;
      }
      if (failure?.kind === 'cancelled') {
        return;
      }
      successes += failure === null ? 1 : 0;
      answeredMs = clock.uptimeMs();
      rest();
      move('online', null);
    },
    doubt: () => {
      rest();
      move('unknown', null);
    },
    onChange,
    close: () => {
      timer?.cancel();
      timer = null;
    },
  };
}
