// Owns the planted bugs of the copying of the listing: what is asked for, what follows from it, and what is stored of it. Each is caught
// by a rule of judge-catalogue.ts or by one of the older ones. "Progress is kept before its rows" is not among them: how far a pass has
// got is worked out from what storing its rows answered (advance in progress.ts), so it cannot come first; and were the two not one
// transaction, a crash between them would only have the page read again, its rows not counted as new, and the listing once more.
import type { Plant } from './mutation.ts';

/** All planted bugs of the copying. */
export const cataloguePlants: readonly Plant[] = [
  { name: 'changes are asked for without an overlap', file: 'app/catalogue/sync/plan.ts', find: 'const overlapMs = 120_000;', replace: 'const overlapMs = 0;', rules: ['I15'] },
  {
    name: "changes are timed by this machine's clock alone",
    file: 'app/catalogue/sync/plan.ts',
    find: 'Math.min(platformTime, Math.max(askedAt, platformTime - believableSkewMs)) - overlapMs;',
    replace: 'askedAt - overlapMs;',
    rules: ['I15'],
  },
  { name: 'no changes are asked for after a full listing', file: 'app/catalogue/sync/plan.ts', find: 'if (since !== null && (changes !== null || ended !== null)) {', replace: 'if (since !== null && changes !== null) {', rules: ['I15', 'I16'] },
  { name: 'a pass over changes ends with its first page', file: 'app/catalogue/sync/sync.ts', find: 'keep(stock, isOver ? afterChanges(', replace: 'keep(stock, !isOver || isOver ? afterChanges(', rules: ['I15'] },
  { name: 'nothing that vanished is ever swept', file: 'app/catalogue/sync/plan.ts', find: 'isDoubted || unseen <= 0 ? null :', replace: 'isDoubted || unseen <= 1e9 ? null :', rules: ['I16'] },
  {
    name: 'an old listing is put over a newer live figure',
    file: 'app/catalogue/store/product-writer.ts',
    find: 'listed.balance === null || isNewer(existing.balance_as_of, askedAt);',
    replace: 'listed.balance === null || isNewer(null, askedAt);',
    rules: ['I18'],
  },
  {
    name: 'a figure from before the clock was set back stays',
    file: 'app/catalogue/store/product-writer.ts',
    find: 'balanceAsOf <= now();',
    replace: 'balanceAsOf <= now() + 1e12;',
    rules: ['I15'],
  },
  { name: 'a figure is noted as of when it was stored', file: 'app/catalogue/sync/prefetch.ts', find: 'return { answer, askedAt, tookMs', replace: 'return { answer, askedAt: clock.now() + 3_600_000, tookMs', rules: ['I18'] },
  { name: 'ids are read as numbers', file: 'app/domain/int64.ts', find: 'return value >= 0n && value <= largest ? (String(value) as Id) : null;', replace: 'return value >= 0n && value <= largest ? (String(Number(value)) as Id) : null;', rules: ['I15', 'I17'] },
  { name: 'a label that a product no longer has still finds it', file: 'app/catalogue/store/product-writer.ts', find: 'removeKey.run(key, number); // W1', replace: 'removeKey.run(key, -number);', rules: ['I17'] },
  {
    name: 'a fragment of a code is learnt as the code',
    file: 'app/catalogue/lookup/lookup.ts',
    find: 'elements.every((element) => isNamedBy(element, term))',
    replace: 'elements.every((element) => isNamedBy(element, term) || true)',
    rules: ['I17'],
  },
  { name: 'pages that were read ahead are taken in from the last one on', file: 'app/catalogue/sync/sync.ts', find: '.map((page) => queryOf(current(work.stock), before, page));', replace: '.map((page) => queryOf(current(work.stock), before, page)).toReversed();', rules: ['I15', 'I16'] },
  { name: 'a refusal for too many requests is not told by the listing', file: 'app/platform/client.ts', find: 'budget.slowDown(failureOf(answer.value).retryAfterMs);', replace: 'failureOf(answer.value);', rules: ['I13', 'I5'] },
  { name: 'a product that was renamed keeps its name', file: 'app/catalogue/store/product-writer.ts', find: 'const isOther = existing.rawDigest !== raw.digest; // W3', replace: "const isOther = existing.rawDigest !== raw.digest && raw.text === '';", rules: ['I15', 'I16'] },
  { name: 'a full listing is over with the page before its last', file: 'app/catalogue/sync/progress.ts', find: 'isOver: asked >= read.lastPage && gotAll };', replace: 'isOver: asked >= read.lastPage - 1 };', rules: ['I15', 'I16'] },
  { name: 'an outage puts the next changes off', file: 'app/catalogue/sync/plan.ts', find: 'return Math.min(Math.max(0, now - startedAt), pagesRead * longestPageMs);', replace: 'return Math.max(0, now - startedAt, pagesRead - longestPageMs);', rules: ['I15'] },
  {
    name: 'what a listing did not show is removed without asking for it',
    file: 'app/catalogue/sync/by-ids.ts',
    find: 'plan.trustsPass ? productIds.filter((productId) => !shown.includes(productId)) : [];',
    replace: 'plan.trustsPass ? productIds : shown;',
    rules: ['I15'],
  },
  { name: 'a row is jumped over at its first failure', file: 'app/catalogue/sync/sync.ts', find: 'const triesBeforeJumping = { ofThisPage: 3, perhaps: 8 };', replace: 'const triesBeforeJumping = { ofThisPage: 1, perhaps: 1 };', rules: ['I15'] },
  {
    name: 'a row that moved to an earlier page is lost',
    file: 'app/catalogue/sync/progress.ts',
    find: 'Math.max(0, (before.furthestTotal ?? read.total) - read.total) : 0;',
    replace: 'Math.max(0, read.total - (before.furthestTotal ?? read.total), -1) * 0 : 0;',
    rules: ['I15'],
  },
  { name: 'a page that has gone is asked for until it comes back', file: 'app/catalogue/sync/sync.ts', find: 'if (refusedPlace !== place) {', replace: "if (refusedPlace === '') {", rules: ['I15', 'I16'] },
  { name: 'a listing that is asked for makes the copy incomplete', file: 'app/catalogue/sync/sync.ts', find: 'ended: null, sweep: null, isKnownShort: false });', replace: 'ended: null, sweep: null, isKnownShort: false, completeAsOf: null });', rules: ['I20'] },
  { name: 'what is shown of a copy begins anew with each listing', file: 'app/catalogue/store/store.ts', find: 'return { stockId, name, copied, total:', replace: 'return { stockId, name, copied: progress.full?.received ?? copied, total:', rules: ['I20'] },
];
