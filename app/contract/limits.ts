/** What a manager can lock; see access.ts for the calls that each covers. */
export const lockKinds = ['coupons', 'users', 'settings', 'discarding'] as const;
/** What asks for the PIN whenever there is one, each time: the lock's own choice, and what else is for a manager alone. */
export const alwaysHeld = ['lock', 'audit', 'tokens', 'provisioning', 'updates', 'closing'] as const;
/** Digits of a PIN. */
export const pinLength = { atLeast: 4, atMost: 12 } as const;
/** Digits of a cashier's own PIN. */
export const ownPinLength = { atLeast: 4, atMost: 6 } as const;
/** Users who have a PIN at one terminal. */
export const maxCashiers = 50;
export const cashierLimits = { keptDays: { min: 0, max: 365 }, lockAfterMinutes: { min: 0, max: 120 } } as const;

/** Products that can be chosen at once: as many as the queue holds. */
export const maxChosen = 10_000;
/** Updates, or products to be switched, that one call takes; whoever has chosen more calls again. */
export const maxUpdatesAtOnce = 200;
/** Updates that can be chosen: as many as the queue holds open. */
export const maxUpdatesChosen = 10_000;
/** What of the copy the stock table lists. */
export const stockLists = ['all', 'below', 'watched', 'ranOut', 'cameBack', 'changedToday'] as const;
/** Minimums that one call sets. */
export const maxMinimaAtOnce = 100;
/** Codes that one call looks up. */
export const maxCodesAtOnce = 100;
/** Characters of a code that is looked up. */
export const maxCodeLength = 100;
export const maxMinimum = 1_000_000_000;
/** The check station: its choices, and the products of one answer. */
export const stationLimits = { clearAfterSeconds: { min: 5, max: 120 }, greeting: 80, products: 6 } as const;
export const queueLimitsRange = { historyDays: { min: 1, max: 3650 }, askAfterHours: { min: 0, max: 8760 } } as const;

export const rateLimitLanes = ['session', 'person', 'queue', 'catalogue'] as const;
export const rateLimitSettingRange = {
  limit: { min: 1, max: 1000 },
  windowSeconds: { min: 1, max: 600 },
  reserve: { min: 0, max: 999 },
} as const;

/** Products that people have chosen for the labels of a scale; then the oldest goes. */
export const maxLabelChoices = 500;
/** Lines of an answer that fits several products; there may be more when it has so many. */
export const maxHits = 200;
/** Each has a copy of its listing, so there is a limit. */
export const maxProfiles = 10;

/** Characters of a provisioning file that a person opens, at most: more than the largest that can be used. */
export const maxOpenedLength = 200_000;
/** What is told of one provisioning file, at most. */
export const maxProblems = 50;
/** What the list of who did what can be narrowed to. */
export const auditGroupNames = [
  'all',
  'coupons',
  'queue',
  'stocktakes',
  'users',
  'settings',
  'lock',
  'signIns',
] as const;

/** The days of the list of what expires: before today, or so many from today on. */
export const expirySpans = ['past', '7', '14', '30', '60', '90'] as const;
/** Lines of that list that one call reads. */
export const maxExpiringRows = 500;
/** Of a product; those behind them in the platform's list are counted alone. */
export const maxBatches = 500;

/** How a line of a count stands against the copy's figure. */
export const lineStandings = ['different', 'noFigure', 'unknownCode', 'notCounted', 'same'] as const;
export const maxStocktakes = 500;
/** Lines of one count. */
export const maxStocktakeLines = 50_000;
export const maxCounted = 1_000_000_000;

/** Where a field of the platform's listing can be shown: `bar` is the companion bar, `station` the price check's. */
export const fieldPlaces = ['card', 'bar', 'table', 'label', 'station'] as const;
/** Of a listing, so many different fields are told. */
export const maxListedFields = 200;
/** Where the app itself shows a field of the listing. */
export const ownPlaces = ['id', 'name', 'code', 'barcode', 'unit', 'balance', 'stock', 'updated'] as const;
/** Shown fields at most; characters of a name and of a path, and the names in a path. */
export const shownFieldLimits = { fields: 12, name: 24, path: 120, pathParts: 5 } as const;

/** In millimetres, or a sheet of A4 with three by eight labels. */
export const labelSizes = ['40x25', '50x30', '60x40', '100x50', 'a4'] as const;
export const maxLabelCopies = 200;
/** Labels that a printer is handed at once: after each such part it says that it took all of it. */
export const maxLabelsAtOnce = 10;
/** Products whose labels one call reads. */
export const maxReadAtOnce = 100;

export const scannerTerminators = ['enterOrTab', 'enter', 'tab', 'none'] as const;
/**
 * Whose keyboard the scanner imitates: the one that this computer is set to, or the American one whatever this computer
 * is set to.
 */
export const scannerKeyboards = ['asThisComputer', 'american'] as const;
/** Every figure stays within these, whatever is typed. */
export const scannerLimits = {
  charactersAtLeast: { min: 3, max: 20 },
  meanGapMs: { min: 5, max: 50 },
  silenceMs: { min: 50, max: 500 },
} as const;
/** Characters before and after a code. */
export const maxMarkLength = 8;

/**
 * The slowest pace, in milliseconds between two keys, at which so many characters are still no person's: fast typists
 * roll three or four keys over at the pace of a scanner, but never six.
 */
export function slowestPaceMs(charactersAtLeast: number): number {
  if (charactersAtLeast <= 3) return 20;
  return charactersAtLeast <= 5 ? 35 : scannerLimits.meanGapMs.max;
}

/** The shortest silence that ends a scan of this pace: below it, a scan would be cut in two. */
export function shortestSilenceMs(meanGapMs: number): number {
  return Math.max(scannerLimits.silenceMs.min, 2 * meanGapMs);
}

/**
 * The settings nearest to these that the limits allow: the pace gives way to the number of characters, and the silence
 * follows the pace.
 */
export function withinScannerLimits<Settings extends Readonly<Record<keyof typeof scannerLimits, number>>>(
  wanted: Settings,
): Settings {
  const hold = (field: keyof typeof scannerLimits): number =>
    Math.min(scannerLimits[field].max, Math.max(scannerLimits[field].min, Math.round(wanted[field])));
  const charactersAtLeast = hold('charactersAtLeast');
  const meanGapMs = Math.min(hold('meanGapMs'), slowestPaceMs(charactersAtLeast));
  return {
    ...wanted,
    charactersAtLeast,
    meanGapMs,
    silenceMs: Math.max(hold('silenceMs'), shortestSilenceMs(meanGapMs)),
  };
}

export const defaultScanner = {
  charactersAtLeast: 4,
  meanGapMs: 35,
  silenceMs: 80,
  terminator: 'enterOrTab',
  prefix: '',
  suffix: '',
  keyboard: 'asThisComputer',
} as const;

/** Rows of a list that cross the bridge at once for a file: so few that no scan waits for them. */
export const maxExported = 500;

/** Saved choices of coupons of one company. */
export const maxCouponSets = 200;
export const maxSetNameLength = 80;
/** For so many minutes after it was due a moment of a plan is still made. */
export const planGraceRange = { min: 0, max: 120 } as const;
/** Plans of all sets of one company. */
export const maxCouponPlans = 100;
