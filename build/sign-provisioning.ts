import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseJson, writeJson } from '../app/domain/json.ts';
import { isObject } from '../app/domain/loose-json.ts';
import { parseProvision, repeatedFields } from '../app/hosts/provisioning/file.ts';
import { maxSignedDays } from '../app/hosts/signed/signature.ts';
import { stop } from './project.ts';
import { readNumber, writeNewKey, writeSigned } from './sign-feed.ts';

const usage = `Usage: npm run sign-provisioning -- --new-key FILE
       npm run sign-provisioning -- --key FILE [--days N] shop.json

  --new-key FILE  makes a key, writes the private one to FILE (PEM) and prints the public one, which source.publicKey names
  --key FILE      signs the provisioning file with this private key: writes the date into it, and the signature beside it as shop.json.sig
  --days N        the file is good for so many days, 1 to ${maxSignedDays}; 90 without it. Sign it again before they are over: terminals use none
                  that has expired

The file holds no secret: a client secret, a PIN or a hub's address that is empty, as in a saved shop's file, is left out; any other is
refused. Upload shop.json.sig first, then shop.json.
`;

function hasEmpty(value: unknown, name: string): boolean {
  return isObject(value) && value[name] === '';
}

/** Without the secrets that a terminal's own file leaves empty. */
function withoutEmptySecrets(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const others = document['otherProfiles'];
  return Object.fromEntries(
    Object.entries({
      ...document,
      otherProfiles: Array.isArray(others)
        ? others.map((one: unknown) => (isObject(one) ? withoutEmptySecrets(one) : one))
        : others,
    }).filter(
      ([name, value]) =>
        value !== undefined &&
        !(name === 'clientSecret' && value === '') &&
        !(name === 'managerLock' && hasEmpty(value, 'pin')) &&
        !(name === 'hub' && hasEmpty(value, 'address')),
    ),
  );
}

/** The file as it is published: dated, and without empty secrets. Throws one line a field that is wrong. */
export function toPublish(content: string, at: Date, days: number): string {
  // Not as JSON.parse does, which would sign another company's file where an id is beyond 2^53.
  const document = parseJson(content);
  if (document === undefined) {
    throw new Error('the file: is not JSON');
  }
  const repeated = repeatedFields(content);
  if (repeated.length > 0) {
    throw new Error(repeated.join('\n'));
  }
  const signed = { at: at.toISOString(), until: new Date(at.getTime() + days * 24 * 3_600_000).toISOString() };
  const text = `${writeJson({ ...(isObject(document) ? withoutEmptySecrets(document) : {}), signed }, 2)}\n`;
  const parsed = parseProvision(text, 'address');
  if (!parsed.ok) {
    throw new Error(parsed.failure.join('\n'));
  }
  return text;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'new-key': { type: 'string' },
      key: { type: 'string' },
      days: { type: 'string', default: '90' },
      help: { type: 'boolean', default: false },
    },
  });
  const [path] = positionals;
  if (values['new-key'] !== undefined) {
    process.stdout.write(`${writeNewKey(values['new-key'])}\n`);
    return;
  }
  if (values.help || path === undefined || values.key === undefined) {
    process.stdout.write(usage);
    return;
  }
  const days = readNumber(values.days, maxSignedDays);
  if (days === null) {
    stop(`--days is a whole number from 1 to ${maxSignedDays}`);
  }
  const privateKey = readFileSync(values.key, 'utf8');
  let text: string;
  try {
    text = toPublish(readFileSync(path, 'utf8'), new Date(), days);
  } catch (error) {
    stop(`${path} cannot be published:\n${error instanceof Error ? error.message : String(error)}`);
  }
  const publicKey = writeSigned(path, text, privateKey);
  process.stdout.write(`${path}.sig, to be checked with ${publicKey}; good for ${days} days\n`);
}

if (import.meta.main) {
  main();
}
