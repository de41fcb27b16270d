import type { PassResult } from './snapshot/pass.ts';

/** One event of the log, without secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;
/** What does not work. */
export type Trouble = 'source' | 'coupons' | 'ledger';
export type Log = (level: 'info' | 'warning' | 'error', event: string, fields?: LogFields) => void;

/** Writes each event as one line of JSON. `now` is milliseconds since 1970. */
export function createLog(write: (line: string) => void, now: () => number): Log {
  return (level, event, fields = {}) => {
    write(`${JSON.stringify({ at: new Date(now()).toISOString(), level, event, ...fields })}\n`);
  };
}

/** What a bridge has seen, for its health and its figures. A reading older than `maxAgeMs` is no good one. */
export function createHealth(now: () => number, maxAgeMs: number) {
  const answers = new Map<number, number>();
  let lastPass: { readonly endedAt: number; readonly tookMs: number; readonly result: PassResult } | null = null;
  let trouble: { readonly what: Trouble; readonly since: number } | null = null;
  let failures = 0;

  return {
    countAnswer: (status: number): void => void answers.set(status, (answers.get(status) ?? 0) + 1),
    notePass: (startedAt: number, result: PassResult): void => {
      lastPass = { endedAt: now(), tookMs: now() - startedAt, result };
      trouble = trouble?.what === 'source' ? null : trouble;
    },
    noteDelivery: (): void => {
      trouble = trouble?.what === 'source' ? trouble : null;
    },
    noteTrouble: (what: Trouble): void => {
      failures += 1;
      // Without the ledger nothing can be answered, whatever else does not work.
      trouble = trouble === null || (what === 'ledger' && trouble.what !== what) ? { what, since: now() } : trouble;
    },
    /** `ok`; `starting` before the first pass of all; else what does not work since when. */
    read: (endedAt: number | null, isTooOld: boolean) => {
      // A pass that takes long makes the copy older before the next one has ended.
      const isOld = isTooOld || (endedAt !== null && now() - endedAt > maxAgeMs + 2 * (lastPass?.tookMs ?? 0));
      const failing = isOld ? 'sourceDown' : 'ok';
      const status = trouble === null ? failing : `${trouble.what}Down`;
      return {
        status: endedAt === null ? 'starting' : status,
        since: trouble === null ? null : new Date(trouble.since).toISOString(),
        sourceReadAt: endedAt === null ? null : new Date(endedAt).toISOString(),
      };
    },
    /** Whether tills can be answered; a source that is down, or refuses a coupon, does not hinder that. */
    readReady: (endedAt: number | null, isTooOld: boolean): { readonly status: 'ok' | 'notReady' } => ({
      status: endedAt !== null && !isTooOld && trouble?.what !== 'ledger' ? 'ok' : 'notReady',
    }),
    /** The figures in Prometheus' text format, in which NaN is one that cannot be told. */
    figures: (endedAt: number | null, pendingCoupons: number): string => {
      const figures: readonly (readonly [name: string, type: 'counter' | 'gauge', value: number | null])[] = [
        ['failures_total', 'counter', failures],
        ['pending_coupons', 'gauge', pendingCoupons],
        ['source_age_seconds', 'gauge', endedAt === null ? null : Math.round((now() - endedAt) / 1000)],
        ['products', 'gauge', lastPass === null ? null : lastPass.result.products],
        ['unreadable_products', 'gauge', lastPass === null ? null : lastPass.result.unreadable],
        ['pass_seconds', 'gauge', lastPass === null ? null : lastPass.tookMs / 1000],
      ];
      const lines = [
        '# TYPE tillside_bridge_answers_total counter',
        ...[...answers].map(([status, count]) => `tillside_bridge_answers_total{status="${status}"} ${count}`),
        ...figures
          .filter(([, , value]) => value !== null)
          .flatMap(([name, type, value]) => [
            `# TYPE tillside_bridge_${name} ${type}`,
            `tillside_bridge_${name} ${value}`,
          ]),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}
