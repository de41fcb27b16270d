// A shop's https server with its provisioning file at an address. Needs openssl for its certificate.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { publicKeyOf, signText } from '../../build/sign-feed.ts';
import { toPublish } from '../../build/sign-provisioning.ts';
import { makeCertificate } from './openssl.ts';
import { temporaryDirectory } from './temporary.ts';
import { newSigningKey } from './update-server.ts';
import { listenLocally } from './listen.ts';

/** The fields that are published beside those that every file has. */
export interface Publication {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly at?: Date;
  readonly days?: number;
  /** Instead of the shop's own. */
  readonly privateKey?: string;
  /** Signed and sent in place of the file. */
  readonly signedText?: string;
  /** Sent in place of the file after it was signed. */
  readonly changedText?: string;
  readonly withoutSignature?: boolean;
  /** The time on the server's clock. */
  readonly servedAt?: Date;
  readonly status?: number;
}

export interface ShopServer {
  readonly source: { readonly url: string; readonly publicKey: string; readonly shop: string };
  readonly privateKey: string;
  /** Of its certificate, PEM. */
  readonly certificatePath: string;
  /** The paths that were asked for, and the status of each answer. */
  readonly asked: readonly string[];
  publish(publication?: Publication): void;
}

/** Starts the server on any free port, for the time of a test. */
export async function startShopServer(): Promise<ShopServer> {
  const folder = temporaryDirectory();
  makeCertificate(folder);
  const privateKey = newSigningKey();
  const asked: string[] = [];
  let publication: Publication = { status: 404 };
  let [text, signature] = ['', ''];
  const server = createServer(
    { key: readFileSync(join(folder, 'server.key')), cert: readFileSync(join(folder, 'server.crt')) },
    (request, response) => {
      const path = request.url ?? '';
      const isSignature = path.endsWith('.sig');
      const body = isSignature ? signature : (publication.changedText ?? text);
      const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
      const missing = isSignature && publication.withoutSignature === true ? 404 : null;
      const status = publication.status ?? missing ?? (request.headers['if-none-match'] === etag ? 304 : 200);
      asked.push(`${path} ${status}`);
      const date = publication.servedAt === undefined ? {} : { date: publication.servedAt.toUTCString() };
      response.writeHead(status, { etag, ...date }).end(status === 200 ? body : undefined);
    },
  );
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `https://127.0.0.1:${port}/centro.json`;
  const source = { url, publicKey: publicKeyOf(privateKey), shop: 'Centro' };
  return {
    source,
    privateKey,
    certificatePath: join(folder, 'server.crt'),
    asked,
    publish: (next = {}) => {
      publication = next;
      const file = {
        platformUrl: 'http://127.0.0.1:9',
        clientId: 'till',
        companyId: 1,
        stockIds: [1],
        source,
        ...next.fields,
      };
      text = next.signedText ?? toPublish(JSON.stringify(file), next.at ?? new Date(), next.days ?? 90);
      signature = signText(text, next.privateKey ?? privateKey);
    },
  };
}
