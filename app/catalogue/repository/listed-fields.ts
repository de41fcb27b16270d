// Which fields the platform's listing carries, as the copy has them: nothing is kept of it, so it costs nothing until
// somebody asks.
import { maxListedFields, type FieldKind, type ListedField, type ListedFields } from '../../contract/fields.ts';
import { shownFieldLimits } from '../../contract/limits/fields.ts';
import { readKept, type ListedElement } from '../../platform/listing/listed-element.ts';
import { ownPlaceOf, usualOf } from '../../platform/listing/own-place.ts';
import type { Database } from '../../storage/database.ts';
import { spreadRows } from './spread-rows.ts';

/** Up to so many products all are looked at; of more, so many. */
export const maxElementsRead = 2_000;
/** An element may be long: a slice takes a few milliseconds. */
const atOnce = 20;
const maxSamples = 3;
const maxSampleLength = 80;

interface Observed {
  readonly path: readonly string[];
  readonly kinds: Set<FieldKind>;
  readonly samples: Map<string, FieldKind>;
  products: number;
}

export interface FieldReader {
  /** Rests between two slices; null when `pause` answers that it is over. Throws StorageError. */
  read(pause: () => Promise<boolean>): Promise<ListedFields | null>;
}

const isWritable = (name: string): boolean =>
  name !== '' && name.isWellFormed() && !/[\p{Cc}\p{Bidi_Control}]/u.test(name);

function canBeChosen(path: readonly string[]): boolean {
  const text = path.join('.');
  return path.every(isWritable) && text.length <= shownFieldLimits.path;
}

function toListed(path: string, one: Observed, usual: ListedField['usual']): ListedField {
  const { path: names, kinds, samples, products } = one;
  return {
    path,
    kinds: [...kinds],
    products,
    samples: [...samples].map(([value, kind]) => ({ value, kind })),
    ownPlace: ownPlaceOf(names),
    ...(usual === undefined ? {} : { usual }),
  };
}

/** Opens the reading over catalogue.db. */
export function openFieldReader(database: Database): FieldReader {
  const from = database.prepare<{ number: number; raw: string }>(
    'SELECT number, raw FROM details WHERE number >= ? ORDER BY number LIMIT ?',
  );

  return {
    read: async (pause) => {
      const observed = new Map<string, Observed>();
      let [counted, leftOut] = [0, 0];

      function note(element: ListedElement): void {
        const seen = new Set<string>();
        for (const { path, plain, isTooDeep } of element.plainValues()) {
          const text = path.join('.');
          if (plain === null || seen.has(text)) {
            continue;
          }
          const isNew = !observed.has(text);
          if (isTooDeep || !canBeChosen(path) || (isNew && observed.size >= maxListedFields)) {
            leftOut += 1;
            continue;
          }
          seen.add(text);
          const one = observed.get(text) ?? { path, kinds: new Set(), samples: new Map(), products: 0 };
          observed.set(text, one);
          one.products += 1;
          one.kinds.add(plain.kind);
          if (one.samples.size < maxSamples) {
            one.samples.set(plain.value.slice(0, maxSampleLength).toWellFormed(), plain.kind);
          }
        }
      }

      const { slices, isSample } = spreadRows(
        database,
        (number, limit) => from.all(number, limit),
        maxElementsRead,
        atOnce,
      );
      for (const rows of slices) {
        for (const { raw } of rows) {
          counted += 1;
          note(readKept(raw));
        }
        if (!(await pause())) {
          return null;
        }
      }
      const usual = usualOf([...observed.values()].map(({ path }) => path));
      const fields = [...observed].map(([path, one]) => toListed(path, one, usual.get(one.path)));
      return { fields, counted, isSample, leftOut };
    },
  };
}
