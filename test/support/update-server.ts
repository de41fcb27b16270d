import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { Machine } from '../../app/hosts/updates/feed.ts';
import { publicKeyOf, signText, withExpiry } from '../../build/sign-feed.ts';
import { listenLocally } from './listen.ts';

export interface Release {
  readonly version: string;
  readonly fileName: string;
  readonly file: Buffer;
  /** Instead of Linux on x64; null for a feed of before machines were named. */
  readonly machine?: Machine | null;
  readonly stagingPercentage?: number;
  /** Instead of a month from now; null for a feed that says nothing of it. */
  readonly expires?: Date | null;
  /** Instead of the file's own. */
  readonly sha512?: string;
  /** Instead of the server's own key. */
  readonly privateKey?: string;
  /** Sent in place of the feed after it was signed. */
  readonly changedFeed?: string;
  readonly withoutSignature?: boolean;
  /** The connection is cut after so many bytes of the file. */
  readonly cutAfterBytes?: number;
  /** The file never ends. */
  readonly isEndless?: boolean;
  /** Sent in place of the file, which it says to be packed in. */
  readonly packed?: { readonly encoding: string; readonly bytes: Buffer };
  /** Whoever asks for the file is sent to ask for it again. */
  readonly redirects?: boolean;
  readonly status?: number;
}

export interface UpdateServer {
  readonly source: { readonly url: string; readonly publicKey: string };
  /** The paths that were asked for. */
  readonly asked: readonly string[];
  /** Endless files that are being sent. */
  readonly sending: () => number;
  offer(release: Release): void;
  close(): Promise<void>;
}

/** A private key for signing, as PEM. */
export function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

const monthMs = 30 * 24 * 3_600_000;

function feedOf({
  version,
  fileName,
  file,
  sha512,
  stagingPercentage,
  expires = new Date(Date.now() + monthMs),
  machine = { platform: 'linux', architecture: 'x64' },
}: Release): string {
  const digest = sha512 ?? createHash('sha512').update(file).digest('base64');
  const feed = `version: ${version}\nfiles:\n  - url: ${fileName}\n    sha512: ${digest}\n    size: ${file.length}\n${machine === null ? '' : `    platform: ${machine.platform}\n    architecture: ${machine.architecture}\n`}path: ${fileName}\nsha512: ${digest}\nreleaseDate: '2026-11-01T00:00:00.000Z'\n${stagingPercentage === undefined ? '' : `stagingPercentage: ${stagingPercentage}\n`}`;
  return expires === null ? feed : withExpiry(feed, expires);
}

/** Starts the server on any free port. */
export async function startUpdateServer(): Promise<UpdateServer> {
  const ownKey = newSigningKey();
  const asked: string[] = [];
  let release: Release | null = null;
  let feed = '';
  let sending = 0;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    asked.push(path);
    if (release === null || (release.status !== undefined && release.isEndless !== true)) {
      response.writeHead(release?.status ?? 404).end();
      return;
    }
    if (path.endsWith('.yml')) {
      response.end(release.changedFeed ?? feed);
    } else if (path.endsWith('.sig')) {
      response
        .writeHead(release.withoutSignature === true ? 404 : 200)
        .end(signText(feed, release.privateKey ?? ownKey));
    } else if (release.redirects === true) {
      response.writeHead(302, { location: request.url }).end();
    } else if (release.packed !== undefined) {
      response.writeHead(200, { 'content-encoding': release.packed.encoding }).end(release.packed.bytes);
    } else if (release.isEndless === true) {
      response.statusCode = release.status ?? 200;
      sending += 1;
      response.on('close', () => {
        sending -= 1;
      });
      const fill = (): void => {
        while (response.write(Buffer.alloc(256 * 1024))) {
          // As fast as it is taken.
        }
      };
      response.on('drain', fill);
      fill();
    } else if (release.cutAfterBytes === undefined) {
      response.writeHead(200, { 'content-length': release.file.length }).end(release.file);
    } else {
      response.writeHead(200, { 'content-length': release.file.length });
      response.write(release.file.subarray(0, release.cutAfterBytes), () => {
        response.destroy();
      });
    }
  });
  const port = await listenLocally(server);
  return {
    source: { url: `http://127.0.0.1:${port}/till`, publicKey: publicKeyOf(ownKey) },
    asked,
    sending: () => sending,
    offer: (next) => {
      release = next;
      feed = feedOf(next);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
