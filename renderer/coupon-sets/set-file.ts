// Which products a shop's file names for a set.
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { mapResult, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { matchLines, type CodeLine, type LeftOut, type LostZeros, type UnreadLine } from '../files/match-lines.ts';
import { codeHeadings, productIdHeadings, readCode, readColumns, type FileFault } from '../files/read-columns.ts';

export interface SetFile {
  /** Its column says that it has product ids, which may be others' codes. */
  readonly areIds: boolean;
  readonly lines: readonly CodeLine[];
  readonly unread: readonly UnreadLine[];
}

/** A line that names a product of the set. */
export interface Member {
  readonly kind: 'member';
  readonly line: number;
  readonly productId: Id;
  readonly code: string;
  readonly name: string;
}

export interface SetPreview {
  readonly leftOut: readonly LeftOut[];
  readonly lostZeros: LostZeros | null;
  readonly members: readonly Member[];
}

/** Reads a column of codes, barcodes or product ids. */
export async function readSetFile(bytes: Uint8Array): Promise<SetFile | FileFault> {
  const file = await readColumns(bytes, [['code', [...productIdHeadings, ...codeHeadings]]]);
  if (typeof file === 'string') {
    return file;
  }
  const rows = file.rows.map(({ line, text, fields, leftOut }) => ({
    line,
    text,
    code: leftOut === null ? readCode(fields.code) : null,
    why: leftOut ?? ('noCode' as const),
  }));
  return {
    areIds: productIdHeadings.includes(file.headings.get('code') ?? ''),
    lines: rows.flatMap(({ line, code }) => (code === null ? [] : [{ line, code }])),
    unread: rows.flatMap(({ line, text, code, why }) => (code === null ? [{ line, text, why }] : [])),
  };
}

/**
 * Looks up what the lines name in any stock, slice by slice. `onProgress` hears how many lines are done. Fails as
 * `couponSet:match` does, or with `cancelled` by the signal.
 */
export async function previewSet(
  bridge: Bridge,
  file: SetFile,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Result<SetPreview, Failure>> {
  const { areIds } = file;
  const match = (codes: string[]) => bridge.call('couponSet:match', { codes, areIds });
  const matched = await matchLines(file, match, onProgress, signal);
  return mapResult(matched, ({ leftOut, lostZeros, found }) => ({
    leftOut,
    lostZeros,
    members: found.map(({ line: { line, code }, product: { productId, name } }) => ({
      kind: 'member' as const,
      line,
      productId,
      code,
      name,
    })),
  }));
}
