/** The resources that the reading of a workbook has used so far. */
export interface WorkbookUse {
  /** As they lie in the file. */
  packedBytes: number;
  /** Unpacked, of all parts that were read. */
  bytes: number;
  /** Shared strings (ECMA-376 part 1, §18.4). */
  strings: number;
  cells: number;
  /** Rows that are kept. */
  rows: number;
}

/** Nothing yet. */
export const unused = (): WorkbookUse => ({ packedBytes: 0, bytes: 0, strings: 0, cells: 0, rows: 0 });
