import { app } from 'electron';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { updateSourceSchema, type UpdateSource } from '../node/device-choices.ts';

const manifestSchema = z.object({ tillside: z.object({ updates: updateSourceSchema }) });

/** The source of updates that this package was built with, or null. */
export function builtInUpdateSource(): UpdateSource | null {
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'));
  return manifestSchema.safeParse(manifest).data?.tillside.updates ?? null;
}
