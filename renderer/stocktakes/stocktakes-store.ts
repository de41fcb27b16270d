import type { StoreApi } from 'zustand/vanilla';
import type { InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import type {
  LineState,
  ScanCounted,
  StartStocktake,
  Stocktake,
  StocktakeLine,
} from '../../app/contract/stocktakes.ts';
import { maxStocktakeLines } from '../../app/contract/limits/stocktakes.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import { createCallLine } from '../stores/call-line.ts';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';
import type { MakeStore } from '../stores/make-store.ts';

/** `instead`: the line of a code of which the product is chosen. */
interface OfCode {
  readonly instead?: number;
}

/** The outcome of the last action, and its number among all. */
export type CountOutcome = { readonly number: number } & (
  | (ScanCounted & OfCode)
  | { readonly kind: 'pieces' }
  | { readonly kind: 'set'; readonly line: StocktakeLine }
  | { readonly kind: 'undone'; readonly line: StocktakeLine | null }
  /** Nothing was taken back: the line has changed since the page showed it, or the page showed none before this one. */
  | { readonly kind: 'overtaken' | 'newest'; readonly line: StocktakeLine | null }
);

/** The lines of one count, all or those in one state. */
export interface LinesFilter {
  readonly stocktakeId: number;
  readonly state: LineState | null;
}

/**
 * 1. Calls go out in the order of what was done; an answer to an earlier one never takes the place of a later one's.
 * 2. A scan that was not kept, or of which nobody knows, is listed until a person has read it, whoever comes to the till
 *    meanwhile.
 * 3. Scans that come faster than they are answered, such as what a scanner has stored, are all counted; not each of
 *    them is drawn, so that the page answers whoever uses it meanwhile.
 * 4. Where the answer of what was done last never came, nothing is shown as the last.
 * 5. What is taken back is what the page shows as the last, after that what was done on this page before. Where it shows
 *    none, or that has changed since, such as on another page, undoing shows what stands there and takes nothing back.
 */
export interface StocktakeStore {
  /** The count on the screen; null before it has been read, and while there is none. */
  readonly current: Stocktake | null;
  readonly outcome: CountOutcome | null;
  /** The number of what was done last, also before it is answered, and of what was answered last. */
  readonly asked: () => number;
  readonly answered: number;
  /** Scans that could not be kept, oldest first. */
  readonly lost: readonly string[];
  /** Scans that may have been kept, but whose answer never came. */
  readonly unsure: readonly string[];
  readonly failure: Failure | null;
  /** Shows this count. Answers false when it is not there any more. */
  readonly open: (stocktakeId: number) => Promise<boolean>;
  readonly leave: () => void;
  /** Reads all of it again: answers were lost, or another page may have changed it. */
  readonly readAgain: () => void;
  /** Begins one and answers its number; null when it could not, or another person has come. */
  readonly start: (wanted: StartStocktake) => Promise<number | null>;
  /** Typed `instead` of a line of this code, it asks which product that is of; until one is chosen the line stays. */
  readonly scan: (text: string, source: 'scan' | 'typed', of?: OfCode) => Promise<void>;
  /** Counts a product, and of a line of a code all that was counted of that. */
  readonly add: (productId: Id, of?: OfCode) => Promise<void>;
  /** A scan came in pieces. */
  readonly tellPieces: () => void;
  /** Takes back the last scan, which was a part of another scan, also while it is not answered. */
  readonly withdraw: (text: string) => Promise<void>;
  readonly setQuantity: (lineId: number, quantity: number | null) => Promise<void>;
  readonly undo: () => Promise<void>;
  /** Leaves a typed text that nothing was counted of. */
  readonly giveUp: () => void;
  readonly setClosed: (stocktakeId: number, isClosed: boolean) => Promise<void>;
  readonly remove: (stocktakeId: number) => Promise<void>;
  /** When every scan so far has been sent. */
  readonly allKept: () => Promise<void>;
  readonly forgetLost: () => void;
}

export interface StocktakeStores {
  readonly store: StoreApi<StocktakeStore>;
  readonly list: StoreApi<PagedList<Stocktake, null>>;
  readonly lines: StoreApi<PagedList<StocktakeLine, LinesFilter>>;
}

const nothing = { current: null, outcome: null, lost: [], unsure: [], failure: null };
const noLines: LinesFilter = { stocktakeId: 0, state: null };
/** Of scans that wait, one of so many is drawn. */
const drawnOneOf = 50;
/** The lines are read again once for all scans of such a while. */
const readAgainMs = 100;

interface Access {
  readonly get: () => StocktakeStore;
  readonly set: StoreApi<StocktakeStore>['setState'];
}

type OutcomeNews = CountOutcome extends infer One ? (One extends CountOutcome ? Omit<One, 'number'> : never) : never;

/** True of a typed text that asks what to count: nothing has been counted of it. */
export function isChoice(outcome: CountOutcome | null): outcome is Extract<CountOutcome, { kind: 'several' | 'none' }> {
  return outcome?.kind === 'several' || outcome?.kind === 'none';
}

/** True of a line that undoing has brought in place of taking one back (5). */
export function isUnasked(
  outcome: CountOutcome | null,
): outcome is Extract<CountOutcome, { kind: 'overtaken' | 'newest' }> {
  return outcome?.kind === 'overtaken' || outcome?.kind === 'newest';
}

/** Both lists; `readSoon` reads the lines again, once for a burst. */
function createLists(
  make: MakeStore,
  bridge: Bridge,
  later: Later,
): Pick<StocktakeStores, 'list' | 'lines'> & { readonly readSoon: () => void } {
  const list: StocktakeStores['list'] = createPagedList<Stocktake, null>(
    make,
    (_filter, offset, limit) => bridge.call('stocktake:list', { offset, limit }),
    null,
  );
  const lines: StocktakeStores['lines'] = createPagedList<StocktakeLine, LinesFilter>(
    make,
    (filter, offset, limit) => bridge.call('stocktake:listLines', { ...filter, offset, limit }),
    noLines,
  );
  let isReadingSoon = false;
  const readSoon = (): void => {
    if (!isReadingSoon) {
      isReadingSoon = true;
      later(readAgainMs, () => {
        isReadingSoon = false;
        lines.getState().readAgain();
      });
    }
  };
  return { list, lines, readSoon };
}

/** The answer; why it failed is shown to whoever asked. */
async function tellFailure<Value>(
  answer: Promise<Result<Value, Failure>>,
  isStillHere: () => boolean,
  set: (state: Pick<StocktakeStore, 'failure'>) => void,
): Promise<Result<Value, Failure>> {
  const result = await answer;
  if (isStillHere()) {
    set({ failure: result.ok ? null : result.failure });
  }
  return result;
}

/** The line in which scans wait, and what is done after them. */
function createTurns(set: StoreApi<StocktakeStore>['setState'], visit: () => () => boolean) {
  const line = createCallLine(maxStocktakeLines);
  return {
    ...line,
    inTurn: async <Value>(send: () => Promise<Result<Value, Failure>>) => {
      const isStillHere = visit();
      const answer = await line.call(send, isStillHere);
      return answer === null ? null : tellFailure(Promise.resolve(answer), isStillHere, set);
    },
    allKept: async () => {
      await line.call(() => Promise.resolve(), visit());
    },
  };
}

const isUnknown = (answer: Result<unknown, Failure> | null): boolean =>
  answer?.ok === false && answer.failure.kind === 'effectUnknown';

interface Step {
  readonly number: number;
  readonly before: Step | null;
}

const withStep = (number: number, step: Step | null): Step =>
  step === null || step.number < number ? { number, before: step } : { ...step, before: withStep(number, step.before) };

function withoutStep(number: number, step: Step | null): Step | null {
  if (step === null || step.number <= number) {
    return step?.number === number ? step.before : step;
  }
  return { ...step, before: withoutStep(number, step.before) };
}

type ChangeAnswer = InvokeOutput<`stocktake:${'scan' | 'add' | 'setQuantity' | 'undo'}`>;

/** What was done on this page and not taken back. Where others have a hand in it, or nobody knows, all is forgotten (5). */
function createSteps() {
  let newest: Step | null = null;
  const forget = (): void => {
    newest = null;
  };
  return {
    newest: () => newest?.number ?? null,
    forget,
    take: (answer: Result<ChangeAnswer, Failure> | null): void => {
      if (isUnknown(answer)) {
        forget();
      }
      if (answer?.ok !== true) {
        return;
      }
      const { value } = answer;
      if ('undone' in value) {
        newest = value.undone === null ? null : withoutStep(value.undone, newest);
      } else if ('line' in value && value.line.step !== null) {
        newest = withStep(value.line.step, newest);
      }
    },
  };
}

/** Keeps the scans that an answer leaves open for whoever is there now (2); answers whether nobody knows of them. */
function listUnkept(answer: Result<unknown, Failure> | null, scans: readonly string[], { get, set }: Access): boolean {
  const isUnsure = isUnknown(answer) && scans.length > 0;
  if (isUnsure) {
    set({ unsure: [...get().unsure, ...scans] });
  } else if (answer?.ok !== true) {
    set({ lost: [...get().lost, ...scans] });
  }
  return isUnsure;
}

/** Where another page has closed or deleted the count, no answer brings it as it is now. */
function showRefusal(failure: Failure, isWaiting: boolean, { get, set }: Access): void {
  set({ failure });
  if (failure.kind === 'notFoundHere' && !isWaiting) {
    get().readAgain();
  }
}

/** Reads both lists again, and the count on the screen; what is done or read meanwhile is answered with a newer one. */
function createReadingAgain(
  bridge: Bridge,
  { list, lines }: Pick<StocktakeStores, 'list' | 'lines'>,
  { get, set }: Access,
  visit: () => () => boolean,
): () => Promise<void> {
  let reading = 0;
  return async () => {
    list.getState().readAgain();
    const { current, asked, answered } = get();
    if (current === null) {
      return;
    }
    lines.getState().readAgain();
    reading += 1;
    const [mine, before, isStillHere] = [reading, asked(), visit()];
    const read = await bridge.call('stocktake:read', { stocktakeId: current.id });
    const isOlder = mine !== reading || asked() !== before || get().answered !== answered; // 1
    if (!isStillHere() || isOlder || get().current?.id !== current.id) {
      return;
    }
    if (read.ok) {
      set({ current: read.value });
    } else if (read.failure.kind === 'notFoundHere') {
      set({ current: null });
    }
  };
}

/** Shows what the answer to an action says, unless a later one has been answered (1). */
function createTelling({ get, set }: Access, readSoon: () => void) {
  let newest = 0;
  const isNewest = (mine: number): boolean => {
    const isNewer = mine > newest;
    newest = Math.max(newest, mine);
    return isNewer;
  };
  return {
    tell: (mine: number, stocktake: Stocktake | null, news: OutcomeNews | null): void => {
      if (stocktake !== null) {
        readSoon();
      }
      if (isNewest(mine)) {
        set({
          current: stocktake ?? get().current,
          ...(news === null ? {} : { outcome: { ...news, number: mine } as CountOutcome, failure: null }),
        });
      }
    },
    tellUnknown: (mine: number): void => {
      if (isNewest(mine)) {
        set({ outcome: null }); // 4
      }
    },
  };
}

/** The step that undoing would take back; null where none is shown. */
function shownStep(outcome: CountOutcome | null, before: number | null): number | null {
  if (outcome?.kind === 'undone') {
    return before;
  }
  return outcome !== null && 'line' in outcome ? (outcome.line?.step ?? null) : null;
}

/** Opens all of them; nothing is read before the screen looks. */
export function createStocktakeStores(make: MakeStore, bridge: Bridge, later: Later): StocktakeStores {
  const { list, lines, readSoon } = createLists(make, bridge, later);
  const steps = createSteps();
  let number = 0;
  const ending = { keeps: ['answered', 'lost', 'unsure'] as const, end: steps.forget };
  const store = make<StocktakeStore>(ending, (set, get, visit) => {
    const turns = createTurns(set, visit);
    const readAgain = createReadingAgain(bridge, { list, lines }, { get, set }, visit);
    const { tell, tellUnknown } = createTelling({ get, set }, readSoon);

    /** Does it to the count on the screen; `lost` is what is gone when it fails. */
    const change = async <Value extends ChangeAnswer>(
      call: (stocktakeId: number) => Promise<Result<Value, Failure>>,
      done: (value: Value, mine: number) => void,
      lost: readonly string[] = [],
    ): Promise<void> => {
      const { current } = get();
      if (current === null) {
        return;
      }
      number += 1;
      const mine = number;
      const isStillHere = visit();
      const answer = await turns.call(() => call(current.id), isStillHere);
      // What another count has answered meanwhile neither is a step here nor asks anything.
      const isShown = isStillHere() && get().current?.id === current.id;
      if (isShown) {
        steps.take(answer);
      }
      if (answer?.ok === true && turns.isWaiting() && mine % drawnOneOf !== 0) {
        return; // 3
      }
      set({ answered: Math.max(get().answered, mine) });
      const isUnsure = listUnkept(answer, lost, { get, set });
      if (isUnknown(answer) && isShown) {
        tellUnknown(mine);
      }
      if (answer?.ok === true && isShown) {
        done(answer.value, mine);
      } else if (answer?.ok === false && isStillHere() && !isUnsure) {
        showRefusal(answer.failure, turns.isWaiting(), { get, set });
      }
    };
    const takeScan = (answer: InvokeOutput<'stocktake:scan'>, mine: number): void =>
      tell(mine, answer.kind === 'counted' ? answer.stocktake : null, answer);

    const takeBack = (step: InvokeInput<'stocktake:undo'>['step']): Promise<void> =>
      change(
        (stocktakeId) => bridge.call('stocktake:undo', { stocktakeId, step }),
        ({ undone, line, stocktake }, mine) => {
          const kind = step === null ? 'newest' : 'overtaken';
          const news = { kind: undone === null ? kind : 'undone', line } as const;
          tell(mine, stocktake, typeof step === 'string' ? null : news);
        },
      );
    return {
      ...nothing,
      asked: () => number,
      answered: 0,
      async open(stocktakeId) {
        const isStillHere = visit();
        const read = await bridge.call('stocktake:read', { stocktakeId });
        if (!isStillHere()) {
          return true;
        }
        if (!read.ok) {
          set({ failure: read.failure.kind === 'notFoundHere' ? null : read.failure });
          return read.failure.kind !== 'notFoundHere';
        }
        steps.forget();
        set({ current: read.value, outcome: null, failure: null });
        lines.getState().choose({ stocktakeId, state: null });
        return true;
      },
      leave() {
        set({ current: null, outcome: null, failure: null });
        list.getState().readAgain();
      },
      readAgain: () => void readAgain(),
      async start(wanted) {
        const isStillHere = visit();
        const started = await tellFailure(bridge.call('stocktake:start', wanted), isStillHere, set);
        return started.ok && isStillHere() ? started.value.id : null;
      },
      scan: (text, source, of = {}) =>
        change(
          (stocktakeId) => bridge.call('stocktake:scan', { stocktakeId, text, source, ...of }),
          (answer, mine) => takeScan({ ...answer, ...of }, mine),
          of.instead === undefined ? [text] : [],
        ),
      add: (productId, of = {}) =>
        change((stocktakeId) => bridge.call('stocktake:add', { stocktakeId, productId, ...of }), takeScan),
      tellPieces() {
        number += 1;
        set({ answered: number });
        tell(number, null, { kind: 'pieces' });
      },
      withdraw: takeBack,
      setQuantity: (lineId, quantity) =>
        change(
          (stocktakeId) => bridge.call('stocktake:setQuantity', { stocktakeId, lineId, quantity }),
          ({ line, stocktake }, mine) => tell(mine, stocktake, { kind: 'set', line }),
        ),
      undo: () => takeBack(shownStep(get().outcome, steps.newest())),
      giveUp: () => set({ outcome: null }),
      async setClosed(stocktakeId, isClosed) {
        const changed = await turns.inTurn(() => bridge.call('stocktake:setClosed', { stocktakeId, isClosed }));
        if (changed?.ok === true && get().current?.id === stocktakeId) {
          set({ current: changed.value, outcome: null });
        }
        list.getState().readAgain();
      },
      remove: (stocktakeId) =>
        turns.inTurn(() => bridge.call('stocktake:delete', { stocktakeId })).then(() => list.getState().readAgain()),
      allKept: turns.allKept,
      forgetLost: () => set({ lost: [], unsure: [], failure: null }),
    };
  });

  return { store, list, lines };
}
