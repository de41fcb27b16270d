// The descriptions that others' programs read, as files: `npm run schema` writes them anew.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { configSchema } from '../app/bridge/config.ts';
import { provisionSchema } from '../app/hosts/provisioning/file.ts';
import { describeInterface } from '../app/service/openapi/openapi.ts';
import { projectDirectory } from './project.ts';

const write = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

function describeFile(schema: z.ZodType, title: string): string {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' });
  return write({ ...described, title });
}

/** The text of each description, by its path in the project; the packages ship what lies in assets/. */
export function writeSchemas(): Readonly<Record<string, string>> {
  return {
    'assets/provisioning.schema.json': describeFile(provisionSchema, "Tillside's provisioning file"),
    'app/bridge/shop.schema.json': describeFile(configSchema, "The configuration of Tillside's bridge"),
    'docs/openapi.json': write(describeInterface('https://platform.example.com')),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(writeSchemas())) {
    writeFileSync(join(projectDirectory, path), text);
  }
}
