//   text ─▶ read (domain/codes/scan.ts) ─▶ as it came, then each meaning (code-lookup.ts) ─▶ typed: name and code ─▶ a miss
//
//   K1  The first step that finds anything answers, and says how it read the text; a scan is exact and never searched
//       in names.
//   K2  A miss says which it is: not readable and why, not copied yet, or unknown. Not copied yet is what is still to
//       come alone; a stock that the platform refuses is told beside unknown. One with a wrong check digit may still be
//       a number of the shop's own, and is asked for like the others. Where products or an answer of the platform could
//       not be read, the miss says how many.
//   K3  A code that the platform resolved to one product is remembered as an alias of it when it names that product
//       (C5): the GTIN in it, never a lot or a figure. It answers only what no element carries, goes with the last row
//       of its product, and once it is `aliasOldMs` old it is shown and asked for anew, once a lookup. The stocks that
//       were asked are kept with it: it is old as soon as another one would be asked, and a terminal that would ask
//       another one does not take it. What a stock that is refused may have is not forgotten.
//   K4  The same balance or the same question asked twice at a time is one request.
//   K5  What a person has turned away from, by the next scan or by opening another product, no longer waits for the
//       rate limit: a question that has not left costs no slot, and fails with `cancelled`. One that has left is
//       finished and kept.
//   K6  An answer never waits until the file can be written to: it is remembered in memory at once, and in the file
//       afterwards.
//   K7  Cards are shown of one product alone. Where a text names several, they are listed, and nothing is known of what
//       is meant until a person has chosen; the chosen one then takes that lookup's place among the recent ones.
//   K8  What the copy finds before it has had the whole listing is shown at once, and asked for once, scanned or typed:
//       another product, not copied yet, may have the code too, or a nearer meaning of it. Nothing is asked for whoever
//       is not at the screen by a sign-in.
import { isCopied } from '../../contract/copied.ts';
import type { RecentLookup } from '../../contract/lookup.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { ScaleLayout } from '../../domain/codes/scale-label.ts';
import { readScan, type ScanReading } from '../../domain/codes/scan.ts';
import { areAllAsked } from './asked-stocks.ts';
import { createRests } from '../browse/rests.ts';
import { onlyStorageError } from '../../storage/database.ts';
import type { CatalogueHit, CatalogueProduct, RowNumber } from '../repository/product-reader.ts';
import type { CatalogueRepository } from '../repository/repository.ts';
import { createAnswers, searched, withUnread, type CatalogueAnswer, type LabelAnswer } from './answers.ts';
import { looksScanned, readOfMiss } from './code-lookup.ts';
import type { LabelChoices } from './label-choices.ts';
import { createLiveFigures } from './live-figures.ts';
import { createQuestions, maxTermLength, whileOpen, type QuestionPorts } from './questions.ts';
import { createRecentLookups } from './recent-lookups.ts';
import { createOnce, createWanted } from './wanted.ts';

/** The platform may have given an alias to another product since. */
const aliasOldMs = 30 * 24 * 3_600_000;
/** Products that are offered in place of one that nothing is called like. */
const maxSimilar = 8;

export interface LookupPorts extends QuestionPorts {
  /** When the running full listing will be complete, in milliseconds since 1970; null when unknown. */
  readonly completeAt: () => number | null;
  /** The layouts of the store's scales, asked anew each time. */
  readonly scaleLayouts: () => readonly ScaleLayout[];
  /** The choices that people made for the labels of scales; absent where nothing is learnt. */
  readonly labelChoices?: Pick<LabelChoices, 'find'> | undefined;
}

export interface Lookup {
  /**
   * Answers from the copy alone and remembers it among the recent ones. Nothing is asked of the platform for it, later
   * either, where nobody `mayAsk`. Throws StorageError.
   */
  readonly find: (text: string, source: 'scan' | 'typed', mayAsk?: boolean) => CatalogueAnswer;
  /** The same for an answer on the screen once the copy has grown: turns nothing away. Throws StorageError. */
  readonly findAgain: (text: string, source: 'scan' | 'typed') => CatalogueAnswer;
  /** Which products a text names: the same answer, but no lookup, and remembered nowhere. Throws StorageError. */
  readonly identify: (text: string, source: 'scan' | 'typed') => CatalogueAnswer;
  /** As `identify` of a scan, but as if nobody had chosen anything for a scale's label. Throws StorageError. */
  readonly findChoices: (text: string) => CatalogueAnswer;
  /**
   * A person has chosen this product for a scale's label: the answer, which joins the recent ones, and what is to be
   * remembered. Null when the label does not lead there. Throws StorageError.
   */
  readonly choose: (text: string, productId: Id) => LabelAnswer | null;
  /** As `identify` of a scan, but nothing is ever asked of the platform for it. Throws StorageError. */
  readonly peek: (text: string) => CatalogueAnswer;
  /** Asks the platform (API v3 §4.3 `term`) and keeps what came. Fails as the client does. Throws StorageError. */
  readonly ask: (text: string) => Promise<Result<CatalogueAnswer, Failure>>;
  /** Search as you type in the copy. Throws StorageError. */
  readonly search: (text: string, limit: number) => readonly CatalogueHit[];
  /**
   * Products of the copy that a text with slips may have meant; rests in between, so that a scan does not wait. Fails
   * with `cancelled` once the person has turned away, or asks so of another text. Throws StorageError.
   */
  readonly findSimilar: (text: string) => Promise<Result<readonly CatalogueHit[], Failure>>;
  /** Forgets the newest lookup if it was of this text. Throws nothing. */
  readonly withdraw: (text: string) => void;
  /** The last 100 lookups, newest first. Throws StorageError. */
  readonly recent: () => readonly RecentLookup[];
  /** One product from the copy; null when it is not there. Throws StorageError. */
  readonly read: (stockId: Id, productId: Id) => CatalogueProduct | null;
  /**
   * A person has opened this product from a list: it joins the recent ones. `text` is what named several of which this
   * one was chosen (K7). Throws StorageError.
   */
  readonly noteOpened: (product: CatalogueProduct, text?: string) => void;
  /** The name and code of a product in whatever stock has it; null when none does. Throws StorageError. */
  readonly nameOf: (productId: Id) => { readonly name: string; readonly code: string | null } | null;
  /**
   * Reads a balance from the platform (API v3 §4.4) and keeps it. Fails as the client does, or with `notFoundHere` or
   * `notReady`. Throws StorageError.
   */
  readonly refresh: (stockId: Id, productId: Id) => Promise<Result<CatalogueProduct, Failure>>;
  /** Another terminal has shared something that may answer who waits. Throws StorageError. */
  readonly noticeShared: () => void;
  /**
   * Stands until the next lookup: whoever asks the platform for the person who looks at this one gives up with it (K5).
   */
  readonly whileWanted: () => AbortSignal;
}

const isFound = ({ kind }: CatalogueAnswer): boolean => kind === 'found' || kind === 'several';

const isWhole = (repository: CatalogueRepository): boolean =>
  isCopied(repository.stocks().map(({ progress }) => progress));

/** Null once the rests or the store have ended. */
async function similarRows(
  repository: CatalogueRepository,
  text: string,
  rest: ReturnType<typeof createRests>,
): Promise<readonly RowNumber[] | null> {
  const rows: RowNumber[] = [];
  for (const some of repository.search.similar(text.slice(0, maxTermLength), maxSimilar)) {
    rows.push(...some);
    if (!(await rest(false)) || !repository.isOpen()) {
      return null;
    }
  }
  return rows;
}

/**
 * K3, K8: asks quietly for what the copy has found already. What the platform says is kept; what cannot be asked now is
 * asked at another lookup.
 */
function createConfirming(
  repository: CatalogueRepository,
  questions: ReturnType<typeof createQuestions>,
  wanted: ReturnType<typeof createWanted>,
) {
  const once = createOnce<void>();
  /** Codes that were asked for before the copy had the whole listing. */
  const confirmed = new Set<string>();

  const confirm = (code: string, ask: () => Promise<Result<{ readonly isWhole: boolean }, Failure>>): void =>
    void once(code, async () => {
      try {
        const asked = await ask();
        if (asked.ok && asked.value.isWhole) {
          confirmed.add(code);
        }
      } catch (error) {
        // The next lookup meets it as well, and whoever asked for that one handles it.
        onlyStorageError(error);
      }
    });

  return {
    alias: (reading: ScanReading, alias: string): void =>
      confirm(alias, () => questions.askFor(reading, alias, wanted.signal())),
    part: (reading: ScanReading): void => {
      const { code } = reading;
      // A stock that was refused may be allowed again, and is then still to come.
      if (!isWhole(repository) && code !== null && !confirmed.has(code)) {
        confirm(code, () => questions.askNearest(reading, wanted.signal()));
      }
    },
  };
}

/** How a text was given, where nobody knows. */
const likelySource = ({ meanings, code }: ScanReading): 'scan' | 'typed' =>
  meanings.length > 0 || looksScanned(code ?? '') ? 'scan' : 'typed';

/** Opens the lookup over a store and a client. */
export function openLookup(ports: LookupPorts): Lookup {
  const { repository, clock, completeAt, scaleLayouts, labelChoices } = ports;
  const { reader } = repository;
  const answers = createAnswers(repository, completeAt, labelChoices ?? null);
  const questions = createQuestions(ports);
  const live = createLiveFigures(ports);
  const recent = createRecentLookups(repository, clock);
  const wanted = createWanted(() => repository.isOpen());
  const refreshOnce = createOnce<Result<CatalogueProduct, Failure>>();
  const askOnce = createOnce<Result<CatalogueAnswer, Failure>>();
  const confirming = createConfirming(repository, questions, wanted);
  let meaning = new AbortController();

  function read(given: string): ScanReading {
    return readScan(given, { year: new Date(clock.now()).getUTCFullYear(), layouts: scaleLayouts() });
  }

  function isOld(alias: string): boolean {
    const { learnedAt, stockIds } = reader.aliasOrigin(alias);
    const ageMs = clock.now() - learnedAt;
    // One that was learned ahead of now was learned before the clock was set back.
    return ageMs >= aliasOldMs || ageMs < 0 || !areAllAsked(repository.stocks(), stockIds);
  }

  function answerTo(reading: ScanReading, source: 'scan' | 'typed', isAsked: boolean): CatalogueAnswer {
    const { answer, alias } = answers.find(reading, source, isAsked);
    if (alias !== null && isOld(alias)) {
      confirming.alias(reading, alias);
    }
    return answer;
  }

  /** Of the copy alone; nobody is asked about an old alias. */
  function answerHere(given: string, source?: 'scan' | 'typed'): CatalogueAnswer {
    const reading = read(given);
    return answers.find(reading, source ?? likelySource(reading), false).answer;
  }

  async function askPlatform(given: string): Promise<Result<CatalogueAnswer, Failure>> {
    const reading = read(given);
    const asked = whileOpen(repository, await questions.askForAll(reading, wanted.signal()));
    if (!asked.ok) {
      return asked;
    }
    if (asked.value === null) {
      return succeed(answerTo(reading, 'typed', false));
    }
    const { text, meanings } = reading;
    const { rows, isNamed, unreadable } = asked.value;
    const own = answerTo(reading, likelySource(reading), true);
    // An answer that the platform found by a field that this app does not search is shown as it came: of a label, then,
    // not as the scale's.
    const how = meanings.some(({ as }) => as === 'scaleLabel') ? undefined : readOfMiss(reading);
    const byPlatform = isNamed ? answers.several(text, rows, how) : answers.listed(text, rows, searched); // C5
    return succeed(recent.rememberAsked(isFound(own) ? own : withUnread(byPlatform ?? own, unreadable)));
  }

  function chosen(label: LabelAnswer | null): LabelAnswer | null {
    if (label !== null) {
      wanted.turnAway();
      recent.remember(label.answer);
    }
    return label;
  }

  const identify = (text: string, source: 'scan' | 'typed'): CatalogueAnswer => answerTo(read(text), source, false);

  return {
    find: (text, source, mayAsk = true) => {
      wanted.turnAway();
      const reading = read(text);
      const answer = mayAsk ? answerTo(reading, source, false) : answerHere(text, source);
      // mutant: what a part of the copy finds is not asked for (K8)
      if (mayAsk && isFound(answer)) {
        confirming.part(reading);
      }
      return recent.remember(answer, source === 'scan');
    },

    findAgain: (text, source) => {
      // The lookup has asked for an old alias already (K3).
      const answer = answerHere(text, source);
      recent.correct(answer);
      return answer;
    },

    identify,
    findChoices: (text) => answers.find(read(text), 'scan', false, true).answer,
    choose: (text, productId) => chosen(answers.choose(read(text), productId)),
    peek: (text) => answerHere(text, 'scan'),

    ask: (text) => wanted.whileShown(() => askOnce(text, () => askPlatform(text))),
    search: (text, limit) => answers.search(text.slice(0, maxTermLength), limit),

    findSimilar: async (text) => {
      // Somebody types on: what the text before may have meant is of no use any more.
      meaning.abort();
      meaning = new AbortController();
      const signal = AbortSignal.any([wanted.signal(), meaning.signal]);
      const rows = await similarRows(repository, text, createRests(clock, signal));
      return rows === null ? fail({ kind: 'cancelled' }) : succeed(answers.linesOf(rows));
    },

    withdraw: (text) => recent.withdraw(read(text).text),
    recent: () => recent.list(() => isWhole(repository), answerHere),

    noteOpened: (product, text = product.code ?? product.name) => {
      wanted.turnAway();
      // mutant: the recent lookups forget which of several was chosen (K7)
      recent.choose({ kind: 'found', text, cards: [product] });
    },

    read: (stockId, productId) => {
      const row = reader.find(stockId, productId);
      return row === null ? null : reader.card(row);
    },

    nameOf: (productId) => reader.nameOf(productId),
    whileWanted: () => wanted.signal(),

    // mutant: two questions at once are one, whatever they ask (A5)
    refresh: (stockId, productId) =>
      wanted.whileShown(() =>
        refreshOnce(`${stockId}/${productId}`, () => live.read({ stockId, productId }, wanted.signal())),
      ),
    noticeShared: live.noticeShared,
  };
}
