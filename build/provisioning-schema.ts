import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { provisionSchema } from '../app/hosts/provisioning/file.ts';
import { projectDirectory } from './project.ts';

/** Where it lies; the packages ship it. */
export const schemaPath = join(projectDirectory, 'assets', 'provisioning.schema.json');

/** The schema as the file holds it. */
export function writeProvisioningSchema(): string {
  const schema = z.toJSONSchema(provisionSchema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' });
  return `${JSON.stringify({ ...schema, title: "Tillside's provisioning file" }, null, 2)}\n`;
}

if (import.meta.main) {
  writeFileSync(schemaPath, writeProvisioningSchema());
}
