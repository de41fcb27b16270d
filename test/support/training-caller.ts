// A plain caller of a platform for these tests: real HTTP, integers beyond 2^53 kept, no retries.
import { request, type OutgoingHttpHeaders } from 'node:http';
import { parseJson } from '../../app/domain/json.ts';
import { describeInterface } from '../../app/service/openapi/openapi.ts';
import { startTrainingPlatform, type TrainingOptions, type TrainingPlatform } from '../../app/training/server.ts';
import { createInterfaceCheck, readDescription } from './interface-check.ts';

export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Call {
  readonly method?: string;
  readonly body?: string;
  readonly key?: string;
  /** Undefined as a value leaves a usual header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TokenAnswer {
  readonly token_type: string;
  readonly expires_in?: number;
  readonly access_token: string;
  readonly refresh_token?: string;
}

export const couponsPath = '/api/v3/products/consumption-coupons';

const interfaceCheck = createInterfaceCheck(readDescription(describeInterface('http://127.0.0.1')));

/** One connection for each call, so that none outlives a platform that is restarted at the same address. */
function exchange(url: string, method: string, headers: OutgoingHttpHeaders, body = ''): Promise<Omit<Answer, 'body'>> {
  return new Promise((resolve, reject) => {
    // Told in full: Node gives the body of a GET or DELETE no length by itself.
    const outgoing = request(
      url,
      { method, headers: { ...headers, 'content-length': Buffer.byteLength(body) }, agent: false },
      (incoming) => {
        const read = async (): Promise<void> => {
          const chunks: Buffer[] = [];
          for await (const chunk of incoming as AsyncIterable<Buffer>) {
            chunks.push(chunk);
          }
          resolve({
            status: incoming.statusCode ?? 0,
            headers: { get: (name) => incoming.headers[name]?.toString() ?? null },
            text: Buffer.concat(chunks).toString('utf8'),
          });
        };
        read().catch(reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A platform, and how to sign in there. */
export type CalledPlatform = Pick<
  TrainingPlatform,
  'platformUrl' | 'clientId' | 'clientSecret' | 'companyId' | 'stockIds' | 'email' | 'password'
>;

export class Caller<Platform extends CalledPlatform = TrainingPlatform> {
  readonly platform: Platform;
  accessToken = '';
  /**
   * False for answers that do not come from the platform whole, such as a captive portal's, and for readings that stray
   * from the document.
   */
  isChecked = true;

  constructor(platform: Platform) {
    this.platform = platform;
  }

  async send(path: string, call: Call = {}): Promise<Answer> {
    const headers: Record<string, string | undefined> = {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: this.accessToken === '' ? undefined : `Bearer ${this.accessToken}`,
      'service-company-id': this.platform.companyId,
      'idempotency-key': call.key,
      ...call.headers,
    };
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const url = this.platform.platformUrl + path;
    const method = call.method ?? 'GET';
    const response = await exchange(url, method, given, call.body);
    if (this.isChecked) {
      const seen = { method, url, headers, body: call.body ?? '' };
      const wrong = interfaceCheck.answer(seen, { ...response, body: response.text });
      // A request that is not as described must not succeed.
      const isTooKind = response.status < 300 && interfaceCheck.request(seen).length > 0;
      if (wrong.length > 0 || isTooKind) {
        throw new Error(
          `${method} ${path}: ${[...wrong, ...(isTooKind ? interfaceCheck.request(seen) : [])].join('; ')}`,
        );
      }
    }
    const body = parseJson(response.text);
    return { ...response, body: (typeof body === 'object' ? body : null) as Record<string, unknown> };
  }

  list(query = '', stockId: string = this.platform.stockIds[0] ?? ''): Promise<Answer> {
    return this.send(`/api/v3/stocks/${stockId}/products${query === '' ? '' : `?${query}`}`);
  }

  put(
    key: string,
    items: readonly (readonly [productId: string, isEnabled: boolean])[],
    call: Call = {},
  ): Promise<Answer> {
    const body = `{"items":[${items.map(([id, isEnabled]) => `{"product_id":${id},"is_enabled":${isEnabled}}`).join(',')}]}`;
    return this.send(couponsPath, { method: 'PUT', key, body, ...call });
  }

  token(fields: Readonly<Record<string, unknown>> = {}, key?: string): Promise<Answer> {
    const { clientId, clientSecret, email, password } = this.platform;
    const defaults = {
      grant_type: 'password',
      client_id: clientId,
      client_secret: clientSecret,
      username: email,
      password,
      scope: '*',
    };
    return this.send('/oauth/token', {
      method: 'POST',
      ...(key === undefined ? {} : { key }),
      body: JSON.stringify({ ...defaults, ...fields }),
      headers: { authorization: undefined },
    });
  }

  async signIn(fields: Readonly<Record<string, unknown>> = {}): Promise<TokenAnswer> {
    const answer = await this.token(fields);
    const tokens = answer.body as unknown as TokenAnswer;
    this.accessToken = tokens.access_token;
    return tokens;
  }
}

/** A platform in memory with a caller who is signed in, and a rate limit that does not get in the way. */
export async function startSignedIn(options: Partial<TrainingOptions> = {}): Promise<Caller> {
  const platform = await startTrainingPlatform({ directory: null, port: 0, requestsPerMinute: 100_000, ...options });
  const caller = new Caller(platform);
  await caller.signIn();
  return caller;
}

/** The `stock_products` and `meta` of a listing. */
export function readListing(answer: Answer) {
  const { data, meta } = answer.body as unknown as {
    data: { stock_products: Record<string, unknown>[] };
    meta: { current_page: number; last_page: number; per_page: number; total: number };
  };
  return { elements: data.stock_products, meta };
}

/** The `product` of each element in the nested shape. */
export function readProducts(answer: Answer) {
  return readListing(answer).elements.map(
    (element) => element['product'] as { id: number | bigint; name: string; sku: string; barcode: string | null },
  );
}
