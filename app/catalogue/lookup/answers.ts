import { isCopied } from '../../contract/copied.ts';
import { maxHits } from '../../contract/limits/lookup.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { ScanRead } from '../../contract/scan.ts';
import { hasWrongCheckDigit } from '../../domain/codes/barcode.ts';
import type { Id } from '../../domain/int64.ts';
import type { ScanReading } from '../../domain/codes/scan.ts';
import type { CatalogueHit, CatalogueProduct, RowNumber } from '../repository/product-reader.ts';
import { totalOf, type CatalogueRepository } from '../repository/repository.ts';
import { findCode, readOfMiss } from './code-lookup.ts';
import type { LabelChoices } from './label-choices.ts';
import { chooseForLabel, type ChosenForLabel } from './scale-lookup.ts';

const maxCards = 50;
export const searched: ScanRead = { as: 'search', ofCase: null, layout: null, facts: [], fault: null };

type Miss = Exclude<LookupAnswer, { kind: 'found' | 'several' }>;
/** The contract's answer before the coupons are put onto its cards. */
export type CatalogueAnswer =
  | {
      readonly kind: 'found';
      readonly text: string;
      readonly read?: ScanRead | undefined;
      readonly cards: readonly CatalogueProduct[];
    }
  | Extract<LookupAnswer, { kind: 'several' }>
  | Miss;

/** Says with what the copy did not find itself how much of the platform's answer could not be read. */
export function withUnread(answer: CatalogueAnswer, unread: number): CatalogueAnswer {
  return unread === 0 || answer.kind === 'found' ? answer : { ...answer, unreadAnswered: unread };
}

/** The copy's products for a code, and the alias that led there; null when none did. */
interface FromCopy {
  readonly answer: CatalogueAnswer;
  readonly alias: string | null;
}

/** The answer for what was chosen for a scale's label, and what is to be remembered of it. */
export interface LabelAnswer extends Omit<ChosenForLabel, 'finding'> {
  readonly answer: Extract<CatalogueAnswer, { kind: 'found' }>;
}

/** Answers from the copy alone; `completeAt` is when the running full listing will be complete, null when unknown. */
export function createAnswers(
  repository: CatalogueRepository,
  completeAt: () => number | null,
  choices: Pick<LabelChoices, 'find'> | null,
) {
  const { reader } = repository;
  // In the profile's order, which stays the same while the store is open.
  const places = repository.stocks().map((stock) => stock.stockId);

  function found(
    text: string,
    rows: readonly RowNumber[],
    how: ScanRead | undefined,
  ): Extract<CatalogueAnswer, { kind: 'found' }> | null {
    const cards = rows.slice(0, maxCards).flatMap((row) => reader.card(row) ?? []);
    // The recent lookups keep the first card.
    cards.sort((one, other) => places.indexOf(one.stockId) - places.indexOf(other.stockId));
    return cards.length === 0 ? null : { kind: 'found', text, read: how, cards };
  }

  /**
   * The products of these rows, the lines of one beside each other and in the profile's order: every stock that has it,
   * not only those whose row was found.
   */
  function linesOf(rows: readonly RowNumber[], max: number): CatalogueHit[] {
    const byProduct = Map.groupBy(
      rows.flatMap((row) => reader.hit(row) ?? []),
      (hit) => hit.productId,
    );
    const lines: CatalogueHit[] = [];
    for (const [productId, hits] of byProduct) {
      if (lines.length >= max) {
        break;
      }
      const all =
        hits.length === places.length ? hits : reader.findById(productId).flatMap((row) => reader.hit(row) ?? []);
      lines.push(...all.toSorted((one, other) => places.indexOf(one.stockId) - places.indexOf(other.stockId)));
    }
    return lines.slice(0, max);
  }

  /** The lines to choose from, also of a single product; null for none. Throws StorageError. */
  function listed(text: string, rows: readonly RowNumber[], how: ScanRead | undefined): CatalogueAnswer | null {
    const hits = linesOf(rows, maxHits);
    return hits.length === 0 ? null : { kind: 'several', text, read: how, hits };
  }

  /** The same, but the cards where all is one product. Throws StorageError. */
  function several(text: string, rows: readonly RowNumber[], how: ScanRead | undefined): CatalogueAnswer | null {
    const list = listed(text, rows, how);
    const isOneProduct = list?.kind === 'several' && new Set(list.hits.map((hit) => hit.productId)).size === 1;
    // mutant: a code that two products share shows the cards of both (K7)
    return isOneProduct ? found(text, rows, how) : list;
  }

  function miss(reading: ScanReading, asked: boolean): Miss {
    const { text, code, meanings, fault } = reading;
    if (fault !== null && meanings.length === 0) {
      return { kind: 'unreadable', text, why: fault.why, about: fault.about };
    }
    if (code !== null && hasWrongCheckDigit(code)) {
      return { kind: 'unreadable', text, why: 'checkDigit', asked }; // K2
    }
    const how = readOfMiss(reading);
    const stocks = repository.stocks();
    if (isCopied(stocks.map(({ progress }) => progress))) {
      // mutant: a miss does not say what could not be read
      const unread = stocks.reduce((sum, stock) => sum + stock.unreadable, 0);
      const refused = stocks.filter(({ progress }) => progress.refused !== null).length;
      return {
        kind: 'unknown',
        text,
        read: how,
        asked,
        ...(unread > 0 && { unreadListed: unread }),
        // mutant: a refused stock counts as the whole catalogue
        ...(refused > 0 && { refusedStocks: refused }),
      };
    }
    return {
      kind: 'notCopied',
      text,
      read: how,
      copied: stocks.reduce((sum, stock) => sum + stock.copied, 0),
      total: totalOf(stocks),
      completeAt: completeAt(),
      asked,
    };
  }

  return {
    /** K1, K2, K7; `isChoosing`: as if nobody had chosen anything for a scale's label. Throws StorageError. */
    find: (reading: ScanReading, source: 'scan' | 'typed', isAsked: boolean, isChoosing = false): FromCopy => {
      const { text, code } = reading;
      const finding = findCode(reader, reading, isChoosing ? null : choices);
      const show = finding?.isAmbiguous === true ? listed : several; // K7
      const exact = finding === null ? null : show(text, finding.rows, finding.read);
      if (exact !== null) {
        return { answer: exact, alias: finding?.alias ?? null };
      }
      const named =
        source === 'typed' && code !== null ? several(text, repository.search.search(code, maxHits), searched) : null;
      return { answer: named ?? miss(reading, isAsked), alias: null }; // K1, K2
    },
    /** The answer for a product that a person chooses for a scale's label; null when it does not lead there. Throws StorageError. */
    choose: (reading: ScanReading, productId: Id): LabelAnswer | null => {
      const chosen = chooseForLabel(reader, reading, productId);
      const answer = chosen === null ? null : found(reading.text, chosen.finding.rows, chosen.finding.read);
      return chosen === null || answer === null ? null : { answer, choice: chosen.choice, items: chosen.items };
    },
    listed,
    several,
    /** The lines of these rows' products. Throws StorageError. */
    linesOf: (rows: readonly RowNumber[]): readonly CatalogueHit[] => linesOf(rows, maxHits),
    /** Search as you type. Throws StorageError. */
    search: (text: string, limit: number): readonly CatalogueHit[] =>
      linesOf(repository.search.search(text, limit), limit),
  };
}
