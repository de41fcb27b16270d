import { z } from 'zod';
import { writeValue, type JsonFile } from './settings-file.ts';

const key = 'dataPlace';
const placeSchema = z
  .object({
    now: z.string().nullable().catch(null),
    before: z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([]),
  })
  .catch({ now: null, before: [] });
/** A stick is D: today and E: tomorrow. */
const maxPlaces = 8;

/** Where the data folder was before it lay in this place, the last first. Keeps where it is now. */
export function noteDataPlace(jsonFile: JsonFile, dataDirectory: string): readonly string[] {
  const kept = placeSchema.parse(jsonFile.get(key) ?? {});
  if (kept.now === dataDirectory) {
    return kept.before;
  }
  const before = [kept.now ?? [], kept.before].flat().filter((place) => place !== dataDirectory);
  const last = [...new Set(before)].slice(0, maxPlaces);
  writeValue(jsonFile, key, { now: dataDirectory, before: last });
  return last;
}
