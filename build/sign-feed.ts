import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isSignedFeed } from '../app/hosts/updates/signature.ts';

const usage = `Usage: npm run sign-feed -- --new-key FILE
       npm run sign-feed -- [--percentage N] dist/package/latest.yml ...

  --new-key FILE   makes a key, writes the private one to FILE (PEM) and prints the public one, which TILLSIDE_UPDATE_KEY names at packaging
  --percentage N   offer the update to about N of a hundred terminals; without it, to all

The private key is in TILLSIDE_UPDATE_PRIVATE_KEY, as PEM. Upload the files first, then each .sig, and the .yml last.
`;

/** The public key of a private one (PEM), as the app takes it. */
export function publicKeyOf(privateKey: string): string {
  const { x = '' } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** The signature of a feed, as the file beside it holds it. */
export function signFeed(feed: string, privateKey: string): string {
  return `${sign(null, Buffer.from(feed, 'utf8'), createPrivateKey(privateKey)).toString('base64')}\n`;
}

/** The feed with its stage, in place of one that it had. */
export function withPercentage(feed: string, percentage: number): string {
  return `${feed.replace(/^stagingPercentage:.*\n?/m, '').trimEnd()}\nstagingPercentage: ${percentage}\n`;
}

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'new-key': { type: 'string' },
      percentage: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || (values['new-key'] === undefined && positionals.length === 0)) {
    process.stdout.write(usage);
    return;
  }
  if (values['new-key'] !== undefined) {
    const privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    writeFileSync(values['new-key'], privateKey, { mode: 0o600, flag: 'wx' });
    process.stdout.write(`${publicKeyOf(privateKey)}\n`);
    return;
  }
  const privateKey = process.env['TILLSIDE_UPDATE_PRIVATE_KEY'] ?? '';
  if (privateKey === '') {
    stop('TILLSIDE_UPDATE_PRIVATE_KEY is empty; without a signature no terminal takes the update.');
  }
  const percentage = values.percentage === undefined ? null : Number(values.percentage);
  if (percentage !== null && !(Number.isInteger(percentage) && percentage >= 1 && percentage <= 100)) {
    stop('--percentage is a whole number from 1 to 100');
  }
  for (const path of positionals) {
    const written = readFileSync(path, 'utf8');
    const feed = percentage === null ? written : withPercentage(written, percentage);
    const signature = signFeed(feed, privateKey);
    if (!isSignedFeed(feed, signature, [publicKeyOf(privateKey)])) {
      stop(`${path}: the signature does not hold`);
    }
    writeFileSync(path, feed);
    writeFileSync(`${path}.sig`, signature);
    process.stdout.write(`${path}.sig, to be checked with ${publicKeyOf(privateKey)}\n`);
  }
}

if (import.meta.main) {
  main();
}
