import { ageBandsMs, type CopyAge } from '../../contract/catalogue-age.ts';
import type { Database } from '../../storage/database.ts';

/** Up to so many products all are looked at; of more, so many. */
export const maxAgesRead = 4_000;
const atOnce = 500;

export type CountedAges = Pick<CopyAge, 'bands' | 'withoutFigure' | 'counted' | 'isSample'>;

export interface Ages {
  /** Counts by `now`, resting between two slices; null when `pause` answers that it is over. Throws StorageError. */
  count(now: number, pause: () => Promise<boolean>): Promise<CountedAges | null>;
}

interface AgeRow {
  readonly number: number;
  readonly asOf: number | null;
}

/** Opens the counting over catalogue.db. */
export function openAges(database: Database): Ages {
  const bounds = database.prepare<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(number) FROM products) AS first, (SELECT max(number) FROM products) AS last',
  );
  const from = database.prepare<AgeRow>(
    'SELECT number, CASE WHEN balance IS NULL THEN NULL ELSE balance_as_of END AS asOf FROM products WHERE number >= ? ORDER BY number LIMIT ?',
  );

  /**
   * Slices of rows: neighbours where all are looked at, else the first row at or after each of evenly spread places.
   */
  function* slices(first: number, last: number): Generator<readonly AgeRow[]> {
    const spread = last - first + 1;
    if (spread <= maxAgesRead) {
      for (let place = first; place <= last; place += atOnce) {
        yield from.all(place, atOnce).filter(({ number }) => number < place + atOnce);
      }
      return;
    }
    const step = spread / maxAgesRead;
    let reached = first - 1;
    for (let probe = 0; probe < maxAgesRead; probe += atOnce) {
      const rows: AgeRow[] = [];
      for (let within = probe; within < Math.min(probe + atOnce, maxAgesRead); within += 1) {
        const row = from.get(Math.max(reached + 1, Math.floor(first + within * step)), 1);
        if (row !== undefined) {
          reached = row.number;
          rows.push(row);
        }
      }
      yield rows;
    }
  }

  return {
    count: async (now, pause) => {
      const { first, last } = bounds.get() ?? { first: null, last: null };
      const bands: number[] = [...ageBandsMs.map(() => 0), 0];
      let [withoutFigure, counted] = [0, 0];
      if (first === null || last === null) {
        return { bands, withoutFigure, counted, isSample: false };
      }
      for (const rows of slices(first, last)) {
        for (const { asOf } of rows) {
          const band = asOf === null ? null : ageBandsMs.findIndex((upToMs) => now - asOf <= upToMs);
          counted += 1;
          if (band === null) {
            withoutFigure += 1;
          } else {
            bands[band < 0 ? ageBandsMs.length : band] = (bands[band < 0 ? ageBandsMs.length : band] ?? 0) + 1;
          }
        }
        if (!(await pause())) {
          return null;
        }
      }
      return { bands, withoutFigure, counted, isSample: last - first + 1 > maxAgesRead };
    },
  };
}
