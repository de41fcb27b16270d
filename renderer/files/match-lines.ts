// Which products the lines of a shop's file name.
import { maxCodesAtOnce } from '../../app/contract/limits.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';

/** A line that names something. */
export interface CodeLine {
  readonly line: number;
  readonly code: string;
}

/** A line that says nothing that could be used. */
export interface UnreadLine {
  readonly line: number;
  readonly text: string;
  readonly why: 'noCode' | 'noAmount';
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

interface Matched<Line, Product> {
  /** In the order of the lines. */
  readonly leftOut: readonly LeftOut[];
  readonly found: readonly Found<Line, Product>[];
}

/** What each code names: nothing, one product, or two of several. */
type Match<Product> = (
  codes: string[],
) => Promise<Result<{ readonly matches: readonly (readonly Product[])[] }, Failure>>;

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
  return succeed({ leftOut: leftOut.toSorted((one, next) => one.line - next.line), found: [...found.values()] });
}
