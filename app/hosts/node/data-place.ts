import { z } from 'zod';
import { writeValue, type JsonFile } from './settings-file.ts';

const key = 'dataPlace';
const placeSchema = z
  .object({ now: z.string().nullable().catch(null), before: z.string().nullable().catch(null) })
  .catch({ now: null, before: null });

/** Where the data folder was before it lay in this place; null where it has never been moved. Keeps where it is now. */
export function noteDataPlace(jsonFile: JsonFile, dataDirectory: string): string | null {
  const kept = placeSchema.parse(jsonFile.get(key) ?? {});
  if (kept.now === dataDirectory) {
    return kept.before;
  }
  writeValue(jsonFile, key, { now: dataDirectory, before: kept.now });
  return kept.now;
}
