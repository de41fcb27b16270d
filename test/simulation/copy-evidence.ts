import type { StockProduct } from './referee-stock.ts';

/** One card or line of a product as it was shown. */
export interface Sight {
  readonly atMs: number;
  readonly companyId: string;
  readonly productId: string;
  readonly code: string | null;
  readonly name: string;
  readonly amount: number | null;
  /** By the machine's clock; null without a figure. */
  readonly asOf: number | null;
}

/** A scan and what this terminal's copy answered. */
export interface Scan {
  readonly atMs: number;
  readonly companyId: string;
  readonly barcode: string;
  readonly kind: string;
  readonly sights: readonly Sight[];
}

/** A live figure that somebody waited for. */
export interface LiveCall {
  readonly atMs: number;
  readonly life: number;
  readonly productId: string;
  /** Null while it waits. */
  endedAtMs: number | null;
}

/** The whole copy of a company, as its table lists it. */
export interface CopyReading {
  readonly atMs: number;
  readonly companyId: string;
  /** Null when it could not be read, or was not complete in time. */
  readonly sights: readonly Sight[] | null;
  /**
   * `changes`: nobody asked for a listing; `anew`: of a copy that was lost; `hiding`: of a listing that left some out;
   * `listing`: somebody asked for one.
   */
  readonly after: 'changes' | 'anew' | 'hiding' | 'listing';
  /** Each barcode that any product ever had, and the products that a scan of it finds. */
  readonly scans: ReadonlyMap<string, readonly string[]>;
  /** Products of this stock, as the terminal counts them. */
  readonly copied: number;
  /** Elements that it says it could not read. */
  readonly unreadable: number;
  /** How many the platform listed. */
  readonly strays: number;
  /** The platform's products then. */
  readonly products: readonly StockProduct[];
}

/** How far a stock's copy was, as an event reported. */
export interface Shown {
  readonly atMs: number;
  /** Two profiles of one company have a copy each. */
  readonly profileId: number | null;
  readonly stockId: string;
  readonly copied: number;
  /** By the machine's clock. */
  readonly completeAsOf: number | null;
}

export interface CopyEvidence {
  /** Each time that it was reported otherwise than before. */
  readonly shown: Shown[];
  /** When the files of the copy were deleted. */
  readonly wipes: number[];
  readonly scans: Scan[];
  readonly calls: LiveCall[];
  /** When somebody asked the platform for a code. */
  readonly asked: number[];
  /** Batches that somebody asked for. */
  readonly opened: { readonly atMs: number; readonly productId: string }[];
  readonly readings: CopyReading[];
  /** When the machine slept. */
  readonly sleeps: { readonly fromMs: number; readonly toMs: number }[];
  /** When a row that could not be read was jumped over. */
  readonly jumps: number[];
  /** By how much the machine's clock is off, at any time that anybody looked. */
  readonly clockOffs: { readonly atMs: number; readonly byMs: number }[];
}

/** Makes evidence of a copy that nobody has looked at. */
export function createCopyEvidence(): CopyEvidence {
  return {
    shown: [],
    wipes: [],
    scans: [],
    calls: [],
    asked: [],
    opened: [],
    readings: [],
    sleeps: [],
    jumps: [],
    clockOffs: [],
  };
}
