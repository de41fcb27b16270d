import type { TerminalState } from '../../app/contract/terminal-state.ts';

/** A report that held from then on; `state` null where nothing of the open store is reported. */
export interface Reported {
  readonly life: number;
  readonly atMs: number;
  readonly state: TerminalState['connection']['state'] | null;
  readonly inFlight: number;
}

export interface ReportedEvidence {
  readonly all: Reported[];
  /** While these last, another store or another way than the open store's may be asked. */
  readonly changes: { readonly fromMs: number; toMs: number }[];
  note(life: number, atMs: number, state: TerminalState | null): void;
  /** A call begins; what it answers tells when it is over. */
  begin(channel: string, atMs: number): (atMs: number) => void;
}

const changing = /^(?:profile|practice|provisioning|hub|session|cashier|station):/;

/** Begins empty. */
export function createReportedEvidence(): ReportedEvidence {
  const all: Reported[] = [];
  const changes: ReportedEvidence['changes'] = [];
  return {
    all,
    changes,
    note: (life, atMs, state) => {
      const hasShop = state !== null && state.mode !== null && !state.station.isOn && !state.isSafeMode;
      all.push({
        life,
        atMs,
        state: hasShop ? state.connection.state : null,
        inFlight: hasShop ? state.queue.inFlight : 0,
      });
    },
    begin: (channel, fromMs) => {
      if (!changing.test(channel)) {
        return () => undefined;
      }
      const change = { fromMs, toMs: Number.POSITIVE_INFINITY };
      changes.push(change);
      return (atMs) => {
        change.toMs = atMs;
      };
    },
  };
}
