import type { CopyReading, Sight } from './copy-evidence.ts';
import type { Run, Violation } from './judging.ts';
import { platformEpochMs } from './referee.ts';
import type { RefereeStock, StockProduct } from './referee-stock.ts';

/** From the moment a figure was true until it is noted as of: a request and its answer take this long at most. */
const underWayMs = 30_000;
/**
 * A live call may hold one of the slots that are kept for people for so long: under way, on its way though abandoned,
 * and a window more.
 */
const heldMs = 210_000;
/** Slots that are kept for people (app/rate-limit/rules.ts). */
const reserve = 3;
/** A live call leaves within this time when a slot is free; what the world does at the same moment comes before it. */
const leavesMs = 1_000;
/** For so long it need not be on disk until when nothing had changed. */
const notedForMs = 10 * 60_000;

function stockOf(run: Run, companyId: string): RefereeStock {
  const stock = run.referee.stocks.get(companyId);
  if (stock === undefined) {
    throw new Error(`no stock of ${companyId}`);
  }
  return stock;
}

function describe({ code, name }: { readonly code: string | null; readonly name: string }): string {
  return `${code ?? ''} "${name}"`;
}

/** The fault in how one product is shown; null when there is none. */
function faultOf(run: Run, product: StockProduct, sight: Sight | undefined, withFigure: boolean): string | null {
  if (sight === undefined) {
    return `the platform has ${product.id}, the copy does not`;
  }
  if (sight.code !== product.code || sight.name !== product.name) {
    return `${product.id} is ${describe(product)}, but is shown as ${describe(sight)}`;
  }
  return withFigure && sight.amount !== product.balance
    ? `there are ${String(product.balance)} of ${product.id}, but ${String(sight.amount)} are shown`
    : null;
}

/**
 * A row that could not be read for so long was jumped over, or no clock was right: then nothing but the next listing
 * need bring it.
 */
function isExcused({ evidence, referee }: Run): boolean {
  return evidence.copy.jumps.length > 0 || (referee.rules.listing.dateOffMs > 0 && evidence.clockShifts.length > 0);
}

/** I15 and I16 */
function checkReading(run: Run, reading: CopyReading): Violation[] {
  const { atMs, companyId, sights, after, copied, unreadable, strays, products } = reading;
  const isListed = after === 'listing';
  const rule = isListed ? 'I16' : 'I15';
  if (sights === null) {
    return [{ rule, atMs, what: `the copy of ${companyId} is not complete` }];
  }
  if (after === 'changes' && isExcused(run)) {
    return [];
  }
  const byId = new Map(sights.map((sight) => [sight.productId, sight]));
  const faults = products.flatMap(
    (product) =>
      faultOf(run, product, byId.get(product.id), isListed || run.referee.rules.listing.salesAreUpdates) ?? [],
  );
  const doubled = sights.length === byId.size ? [] : ['a product is shown twice'];
  const present = new Set(products.map(({ id }) => id));
  const vanished = isListed
    ? sights
        .filter(({ productId }) => !present.has(productId))
        .map(({ productId }) => `the platform does not have ${productId} any more, the copy does`)
    : [];
  const miscounted =
    isListed && copied !== present.size ? [`${String(present.size)} products are counted as ${String(copied)}`] : [];
  const unreported =
    isListed && unreadable !== strays
      ? [`${String(strays)} elements cannot be read, and ${String(unreadable)} are told`]
      : [];
  return [...faults, ...doubled, ...vanished, ...miscounted, ...unreported]
    .slice(0, 3)
    .map((what): Violation => ({ rule, atMs, what: `${companyId}: ${what}` }));
}

/** I17: after a listing, a scan finds what has the barcode now, and nothing else. */
function checkCodes(run: Run, { atMs, companyId, scans, after, products }: CopyReading): Violation[] {
  if (after !== 'listing') {
    return [];
  }
  // Where no element carries a barcode, what the platform once resolved answers until it is asked for anew.
  return (stockOf(run, companyId).showsBarcodes ? [...scans] : []).flatMap(([barcode, found]): Violation[] => {
    const wanted = products.flatMap((product) => (product.barcode === barcode ? [product.id] : []));
    const isRight = wanted.length === found.length && wanted.every((id) => found.includes(id));
    return isRight
      ? []
      : [
          {
            rule: 'I17',
            atMs,
            what: `${companyId}: ${barcode} finds ${found.join() || 'nothing'}, but belongs to ${wanted.join() || 'nothing'}`,
          },
        ];
  });
}

/** I17: whatever a scan finds had that barcode once. */
function checkScans(run: Run): Violation[] {
  return run.evidence.copy.scans.flatMap(({ atMs, companyId, barcode, sights }): Violation[] => {
    const wrong = sights.find(
      ({ productId }) =>
        !stockOf(run, companyId)
          .historyOf(productId)
          .some(({ product }) => product?.barcode === barcode),
    );
    return wrong === undefined
      ? []
      : [{ rule: 'I17', atMs, what: `${companyId}: ${barcode} finds ${wrong.productId}, which never had it` }];
  });
}

/** I18 */
function checkFigures(run: Run): Violation[] {
  const { evidence, referee } = run;
  const off = evidence.copy.clockOffs[0]?.byMs ?? 0;
  // Once somebody has set the clock, what is shown as of when says nothing.
  const untilMs = Math.min(Number.POSITIVE_INFINITY, ...evidence.clockShifts);
  const newest = new Map<string, number>();
  const sights = evidence.copy.scans.flatMap((scan) => scan.sights).filter(({ atMs }) => atMs < untilMs);
  return sights.flatMap(({ atMs, companyId, productId, amount, asOf }): Violation[] => {
    if (amount === null || asOf === null) {
      return [];
    }
    const name = `${companyId} ${productId}`;
    const before = newest.get(name) ?? Number.NEGATIVE_INFINITY;
    newest.set(name, Math.max(before, asOf));
    if (asOf < before) {
      return [
        {
          rule: 'I18',
          atMs,
          what: `the figure of ${name} is ${String(before - asOf)} ms older than the one shown before`,
        },
      ];
    }
    const fromMs = asOf - platformEpochMs - off - referee.rules.listing.lagMs - underWayMs;
    const history = stockOf(run, companyId).historyOf(productId);
    const isTrue = history.some(
      ({ fromMs: sinceMs, product }, place) =>
        sinceMs <= atMs &&
        (history[place + 1]?.fromMs ?? Number.POSITIVE_INFINITY) >= fromMs &&
        product?.balance === amount,
    );
    return isTrue
      ? []
      : [{ rule: 'I18', atMs, what: `${String(amount)} of ${name} are shown, which was not so since` }];
  });
}

/**
 * Calls since this time may hold a slot still. After a restart, what is not known to have been answered counts as
 * abandoned then; after a reboot no more time is believed to have passed than the machine is up, and what left before it was
 * off holds its slots from the start.
 */
function heldSince({ evidence, exchanges }: Run, atMs: number): number {
  // A machine that lost its clock cannot know for how long it was off: what left before holds its slots from the start.
  const lastBefore = (startedMs: number): number =>
    exchanges.findLast(({ sentAtMs }) => sentAtMs < startedMs)?.sentAtMs ?? startedMs;
  return evidence.starts
    .filter((startedMs) => startedMs <= atMs)
    .reduceRight(
      (sinceMs, startedMs) => (startedMs > sinceMs ? Math.min(sinceMs, lastBefore(startedMs) - heldMs) : sinceMs),
      atMs - heldMs,
    );
}

/** I19 */
function checkCalls(run: Run): Violation[] {
  const { evidence, exchanges } = run;
  const isListing = (path: string): boolean => /\/stocks\/\d+\/products$/.test(path);
  const refusals = exchanges.flatMap(({ outcome, endedAtMs }) =>
    outcome?.ok === true && outcome.value.status === 429 && endedAtMs !== null ? [endedAtMs] : [],
  );
  return evidence.copy.calls.flatMap(({ atMs, life, productId }): Violation[] => {
    const left = exchanges.find(
      (exchange) =>
        exchange.life === life && exchange.sentAtMs >= atMs && exchange.path.endsWith(`/products/${productId}/balance`),
    );
    const leftMs = left?.sentAtMs ?? atMs;
    if (leftMs - atMs <= leavesMs) {
      return [];
    }
    // Everything but listings may have been a person's; whoever asks for a code asks with a listing, by hand or because
    // the copy is not whole.
    const sinceMs = heldSince(run, atMs);
    const sent = exchanges.filter(
      ({ sentAtMs, method }) => method === 'GET' && sentAtMs > sinceMs && sentAtMs < leftMs,
    );
    const others =
      sent.filter(({ path }) => !isListing(path)).length +
      Math.max(
        sent.filter(({ path, isOfTerm }) => isListing(path) && isOfTerm).length,
        evidence.copy.asked.filter((askedMs) => askedMs > sinceMs && askedMs < leftMs).length,
      );
    const isPaused = refusals.some((refusedMs) => refusedMs > atMs - 10 * 60_000 && refusedMs <= leftMs);
    const hasSignedIn = exchanges.some(
      ({ path, sentAtMs }) => path === '/oauth/token' && sentAtMs > atMs - underWayMs && sentAtMs <= leftMs,
    );
    const isTroubled =
      [...evidence.fullDisks, ...evidence.sessionTroubles].some(
        ({ fromMs, toMs }) => fromMs <= leftMs && toMs >= atMs,
      ) || evidence.copy.sleeps.some(({ fromMs, toMs }) => toMs > atMs - underWayMs && fromMs <= leftMs);
    // Somebody has chosen another limit, or kept other slots for people, or joined a hub.
    const isChosen =
      evidence.chosen.some(
        ({ atMs: chosenMs, chosen: { allowanceLimits } }) => allowanceLimits !== undefined && chosenMs <= leftMs,
      ) || evidence.joins.some((joinedMs) => joinedMs <= leftMs);
    return others >= reserve || isChosen || isPaused || hasSignedIn || isTroubled
      ? []
      : [
          {
            rule: 'I19',
            atMs,
            what: `the live call for ${productId} left ${String(leftMs - atMs)} ms after the scan, though no person held the slots that are kept`,
          },
        ];
  });
}

/** I20 */
function checkShown(run: Run): Violation[] {
  const { shown, wipes } = run.evidence.copy;
  const sinceWipe = (atMs: number): number => wipes.findLast((wipedMs) => wipedMs <= atMs) ?? Number.NEGATIVE_INFINITY;
  const copies = Map.groupBy(shown, ({ profileId, stockId, atMs }) =>
    [profileId, stockId, sinceWipe(atMs)].map(String).join(' '),
  );
  return [...copies.values()].flatMap((progress): Violation[] => {
    let [maxCopied, latest, latestAtMs] = [0, Number.NEGATIVE_INFINITY, 0];
    return progress.flatMap(({ atMs, stockId, copied, completeAsOf }): Violation[] => {
      maxCopied = Math.max(maxCopied, copied);
      const isSet = run.evidence.clockShifts.some((shiftedMs) => shiftedMs <= atMs);
      // Where nothing had changed, that is written down once in a while: a run that died says of an earlier time that it
      // was complete then.
      const isForgotten =
        latest - (completeAsOf ?? Number.NEGATIVE_INFINITY) <= notedForMs &&
        run.evidence.deaths.some((death) => death.atMs >= latestAtMs && death.atMs <= atMs);
      const isBefore =
        latest !== Number.NEGATIVE_INFINITY &&
        !isForgotten &&
        (completeAsOf === null || (completeAsOf < latest && !isSet));
      if (completeAsOf !== null && completeAsOf >= latest) {
        [latest, latestAtMs] = [completeAsOf, atMs];
      }
      const gone = [...run.referee.stocks.values()].reduce((sum, stock) => sum + stock.goneBy(atMs), 0);
      const isLess = copied < maxCopied - gone;
      return [
        ...(isBefore ? [`was complete, and is as of ${String(completeAsOf)}`] : []),
        ...(isLess
          ? [`had ${String(maxCopied)} products and has ${String(copied)}, though only ${String(gone)} ever went`]
          : []),
      ].map((what): Violation => ({ rule: 'I20', atMs, what: `the copy of stock ${stockId} ${what}` }));
    });
  });
}

/** Judges what was seen of the copy. */
export function checkCopy(run: Run): Violation[] {
  return [
    ...run.evidence.copy.readings.flatMap((reading) => [...checkReading(run, reading), ...checkCodes(run, reading)]),
    ...checkScans(run),
    ...checkFigures(run),
    ...checkCalls(run),
    ...checkShown(run),
  ];
}
