import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isSigned, maxSignedDays } from '../app/hosts/signed/signature.ts';
import { stop } from './project.ts';

const usage = `Usage: npm run sign-feed -- --new-key FILE
       npm run sign-feed -- [--percentage N] [--days N] dist/package/latest.yml ...

  --new-key FILE   makes a key, writes the private one to FILE (PEM) and prints the public one, which TILLSIDE_UPDATE_KEY names at packaging
  --percentage N   offer the update to about N of a hundred terminals; without it, to all
  --days N         the feed is good for so many days, 1 to ${maxSignedDays}; 90 without it. Sign it again before they are over: terminals use none
                   that has expired

The private key is in TILLSIDE_UPDATE_PRIVATE_KEY, as PEM. Upload the files first, then each .sig, and the .yml last.
`;

/** The public key of a private one (PEM), as the app takes it. */
export function publicKeyOf(privateKey: string): string {
  const { x = '' } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** Makes a private key, writes it to a file that is not there yet (PEM), and answers the public one. */
export function writeNewKey(path: string): string {
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  writeFileSync(path, privateKey, { mode: 0o600, flag: 'wx' });
  return publicKeyOf(privateKey);
}

/** The signature of a text, as the file beside it holds it. */
export function signText(feed: string, privateKey: string): string {
  return `${sign(null, Buffer.from(feed, 'utf8'), createPrivateKey(privateKey)).toString('base64')}\n`;
}

/**
 * Writes a text, and its signature beside it as `path`.sig; answers the public key to check it with. Throws when the
 * signature does not hold.
 */
export function writeSigned(path: string, text: string, privateKey: string): string {
  const signature = signText(text, privateKey);
  const publicKey = publicKeyOf(privateKey);
  if (!isSigned(text, signature, [publicKey])) {
    throw new Error(`${path}: the signature does not hold`);
  }
  writeFileSync(path, text);
  writeFileSync(`${path}.sig`, signature);
  return publicKey;
}

/** The feed with its stage, in place of one that it had. */
export function withPercentage(feed: string, percentage: number): string {
  return `${feed.replace(/^stagingPercentage:.*\n?/m, '').trimEnd()}\nstagingPercentage: ${percentage}\n`;
}

/** The feed with the date until which it is good, in place of one that it had. */
export function withExpiry(feed: string, expires: Date): string {
  return `${feed.replace(/^expires:.*\n?/m, '').trimEnd()}\nexpires: '${expires.toISOString()}'\n`;
}

/** A whole number from 1 to `most`, or null. */
export function readNumber(text: string, most: number): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most ? number : null;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'new-key': { type: 'string' },
      percentage: { type: 'string' },
      days: { type: 'string', default: '90' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || (values['new-key'] === undefined && positionals.length === 0)) {
    process.stdout.write(usage);
    return;
  }
  if (values['new-key'] !== undefined) {
    process.stdout.write(`${writeNewKey(values['new-key'])}\n`);
    return;
  }
  const privateKey = process.env['TILLSIDE_UPDATE_PRIVATE_KEY'] ?? '';
  if (privateKey === '') {
    stop('TILLSIDE_UPDATE_PRIVATE_KEY is empty; without a signature no terminal takes the update.');
  }
  const percentage = values.percentage === undefined ? null : readNumber(values.percentage, 100);
  if (values.percentage !== undefined && percentage === null) {
    stop('--percentage is a whole number from 1 to 100');
  }
  const days = readNumber(values.days, maxSignedDays);
  if (days === null) {
    stop(`--days is a whole number from 1 to ${maxSignedDays}`);
  }
  const expires = new Date(Date.now() + days * 24 * 3_600_000);
  for (const path of positionals) {
    const written = readFileSync(path, 'utf8');
    const feed = withExpiry(percentage === null ? written : withPercentage(written, percentage), expires);
    const publicKey = writeSigned(path, feed, privateKey);
    process.stdout.write(`${path}.sig, to be checked with ${publicKey}; good until ${expires.toISOString()}\n`);
  }
}

if (import.meta.main) {
  main();
}
