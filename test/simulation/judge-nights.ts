import { refusalsOf } from './judge-senders.ts';
import type { Run, Violation } from './judging.ts';
import { platformEpochMs } from './referee.ts';

const minuteMs = 60_000;
/** When nobody has chosen other hours. */
const usualNight = { from: 22, to: 6 };
const half = 30;
const restAfterRefusalMs = 15 * minuteMs;
/** A request that was given up counts for two more windows than one that was answered. */
const abandonedForMs = 2 * minuteMs;
/** A product that a person has opened may wait for its slot, and be asked for again. */
const openedForMs = 15 * minuteMs;

/** The hour of the till's own clock. */
function hourAt({ evidence }: Run, atMs: number): number {
  const offMs = evidence.wallClock.findLast((set) => set.atMs <= atMs)?.offMs ?? 0;
  return new Date(platformEpochMs + atMs + offMs).getUTCHours();
}

/** I22 */
export function checkNights(run: Run): Violation[] {
  const { evidence, exchanges, night } = run;
  const isListing = (path: string): boolean => /\/stocks\/\d+\/products$/.test(path);
  const refusals = refusalsOf(run);
  return exchanges.flatMap(({ path, sentAtMs: atMs, number, life }): Violation[] => {
    if (!path.endsWith('/batches')) {
      return [];
    }
    const hour = hourAt(run, atMs);
    // Of what somebody chose nobody knows when it was kept, or forgotten by a start.
    const chosen = evidence.chosen.flatMap((one) => (one.atMs <= atMs ? [one.chosen] : []));
    const isOn = night !== null || chosen.some(({ expiryAsking }) => expiryAsking?.isOn === true);
    // Nor whether the settings that a run begins with were ever opened, where somebody has switched it on besides.
    const own = night === null || chosen.length > 0 ? usualNight : [];
    const isNight = [night ?? [], own, chosen.flatMap(({ quietHours }) => quietHours ?? [])]
      .flat()
      .some(({ from, to }) => from === to || (from < to ? hour >= from && hour < to : hour >= from || hour < to));
    const productId = /\/products\/(\d+)\/batches$/.exec(path)?.[1];
    if (
      evidence.copy.opened.some(
        (one) => one.productId === productId && one.atMs <= atMs && one.atMs > atMs - openedForMs,
      )
    ) {
      return [];
    }
    const mine = exchanges.filter((other) => other.life === life && other.number < number && other.sentAtMs <= atMs);
    const reading = mine.find(
      (other) => isListing(other.path) && (other.endedAtMs === null || other.endedAtMs > atMs) && other.sentAtMs < atMs,
    );
    const held = mine.filter(({ endedAtMs, outcome }) => {
      const overMs = endedAtMs ?? atMs;
      return (outcome?.ok === true ? overMs : overMs + abandonedForMs) + minuteMs > atMs;
    }).length;
    const refused = refusals.find((one) => one.atMs < atMs && one.atMs > atMs - restAfterRefusalMs);
    const waiting = evidence.copy.calls.find(
      (call) =>
        call.life === life &&
        call.atMs < atMs &&
        call.atMs > atMs - minuteMs &&
        (call.endedAtMs === null || call.endedAtMs > atMs) &&
        !mine.some(
          (other) => other.sentAtMs >= call.atMs && other.path.endsWith(`/products/${call.productId}/balance`),
        ),
    );
    const trouble = [
      ...(isOn ? [] : ['though nobody has switched it on']),
      ...(isNight ? [] : [`at ${String(hour)} o'clock`]),
      ...(reading === undefined ? [] : [`while #${String(reading.number)} reads a page`]),
      ...(held < half ? [] : [`when ${String(held)} count already`]),
      ...(refused === undefined
        ? []
        : [`${String(atMs - refused.atMs)} ms after the 429 of #${String(refused.number)}`]),
      ...(waiting === undefined ? [] : [`while a scan of ${waiting.productId} waits`]),
    ];
    return trouble.length === 0
      ? []
      : [{ rule: 'I22', atMs, what: `#${String(number)} asks for batches ${trouble.join(', ')}` }];
  });
}
