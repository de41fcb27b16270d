// Which products the lines of a shop's file name.
import { maxCodesAtOnce } from '../../app/contract/limits/codes.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, mapResult, succeed, type Result } from '../../app/domain/result.ts';

/** A line that names something. */
export interface CodeLine {
  readonly line: number;
  readonly code: string;
}

/** A line that says nothing that could be used. */
export interface UnreadLine {
  readonly line: number;
  readonly text: string;
  readonly why: 'noCode' | 'noAmount' | 'twoAmounts' | 'aboveHeadings' | 'moreFields' | 'severalLines' | 'otherStock';
}

/** A line that is left out, and why; `earlier` is the line that names the same product. */
export interface LeftOut extends Omit<UnreadLine, 'why'> {
  readonly kind: 'leftOut';
  readonly why: UnreadLine['why'] | 'notFound' | 'several' | 'twice';
  readonly earlier: number | null;
}

/** A line that names one product that no earlier line does. */
export interface Found<Line, Product> {
  readonly line: Line;
  readonly product: Product;
}

/** A code of the file that names nothing, and one with zeros before it that names a product. */
export interface LostZeros {
  readonly code: string;
  readonly whole: string;
}

interface Matched<Line, Product> {
  /** In the order of the lines. */
  readonly leftOut: readonly LeftOut[];
  /** One of those that a spreadsheet seems to have taken the leading zeros of. */
  readonly lostZeros: LostZeros | null;
  readonly found: readonly Found<Line, Product>[];
}

/** Finds the products that each code names: nothing, one product, or two of several. */
type Match<Product> = (
  codes: string[],
) => Promise<Result<{ readonly matches: readonly (readonly Product[])[] }, Failure>>;

/** So many codes are tried with zeros before them, up to the length of the longest barcode: one call. */
const triedWithZeros = 8;
const longestBarcode = 14;

/** Whether zeros before the codes that name nothing would make them name something. */
async function findLostZeros<Product>(
  leftOut: readonly LeftOut[],
  match: Match<Product>,
): Promise<Result<LostZeros | null, Failure>> {
  const tries = leftOut
    .filter(({ why, text }) => why === 'notFound' && /^[1-9]\d*$/.test(text) && text.length < longestBarcode)
    .slice(0, triedWithZeros)
    .flatMap(({ text: code }) =>
      Array.from({ length: longestBarcode - code.length }, (_, place) => ({
        code,
        whole: code.padStart(code.length + place + 1, '0'),
      })),
    )
    .slice(0, maxCodesAtOnce);
  if (tries.length === 0) {
    return succeed(null);
  }
  const answer = await match(tries.map(({ whole }) => whole));
  return mapResult(answer, ({ matches }) => tries.find((_, place) => (matches[place] ?? []).length > 0) ?? null);
}

/**
 * Looks the lines up, slice by slice. `onProgress` hears how many are done. Fails as `match` does, or with `cancelled`
 * by the signal.
 */
export async function matchLines<Line extends CodeLine, Product extends { readonly productId: Id }>(
  { lines, unread }: { readonly lines: readonly Line[]; readonly unread: readonly UnreadLine[] },
  match: Match<Product>,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Result<Matched<Line, Product>, Failure>> {
  const leftOut: LeftOut[] = unread.map((line) => ({ kind: 'leftOut', earlier: null, ...line }));
  const found = new Map<Id, Found<Line, Product>>();
  const leave = ({ line, code }: Line, why: LeftOut['why'], earlier: number | null = null): void => {
    leftOut.push({ kind: 'leftOut', line, text: code, why, earlier });
  };
  for (let place = 0; place < lines.length; place += maxCodesAtOnce) {
    const slice = lines.slice(place, place + maxCodesAtOnce);
    const answer = await match(slice.map(({ code }) => code));
    if (signal.aborted || !answer.ok) {
      return answer.ok ? fail({ kind: 'cancelled' }) : answer;
    }
    for (const [index, line] of slice.entries()) {
      const [product, other] = answer.value.matches[index] ?? [];
      const earlier = product === undefined ? undefined : found.get(product.productId);
      if (product === undefined || other !== undefined) {
        leave(line, product === undefined ? 'notFound' : 'several');
      } else if (earlier !== undefined) {
        leave(line, 'twice', earlier.line.line);
      } else {
        found.set(product.productId, { line, product });
      }
    }
    onProgress(place + slice.length);
  }
  const lostZeros = await findLostZeros(leftOut, match);
  if (signal.aborted) {
    return fail({ kind: 'cancelled' });
  }
  return mapResult(lostZeros, (lost) => ({
    leftOut: leftOut.toSorted((one, next) => one.line - next.line),
    lostZeros: lost,
    found: [...found.values()],
  }));
}
