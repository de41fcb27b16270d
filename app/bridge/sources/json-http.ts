import { z } from 'zod';
import { isLoopback } from '../../domain/loopback.ts';
import { redactText } from '../../domain/redact.ts';

const timeoutMs = 60_000;
/** Forty kilobytes for each of a hundred products: what is larger would hold up the process that answers tills. */
export const maxAnswerBytes = 4 * 1024 * 1024;

/** The address of a server: https, or http on this machine alone. */
export const serverAddress = z
  .url({ protocol: /^https?$/ })
  .max(1000)
  .refine(
    (text) => {
      const url = URL.parse(text);
      return url?.protocol === 'https:' || isLoopback(url?.hostname ?? '');
    },
    { error: 'must be https', abort: true },
  )
  .refine((text) => {
    const url = URL.parse(text);
    return url?.username === '' && url.password === '';
  }, 'must name no user and no password');

/** Thrown for an answer that is none, without secrets. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  /** Null where no answer came. */
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

async function readText(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > most) {
      throw new RangeError(`the answer is larger than ${most} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The start of what a server says; `bare` takes out the secrets of the request, which it may give back. */
export function quote(text: string, bare: (text: string) => string): string {
  return redactText(bare(text.slice(0, 10_000))).slice(0, 300);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error would quote the text.
    throw new SyntaxError('the answer is no JSON');
  }
}

/** What a shop's server answers. Throws ServerError, without secrets, for all but JSON with a status of success. */
export async function askJson(
  url: URL,
  request: {
    readonly method?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly maxBytes?: number;
    readonly bare: (text: string) => string;
  },
): Promise<{ readonly document: unknown; readonly headers: Headers }> {
  const { method = 'GET', headers, body, maxBytes = maxAnswerBytes, bare } = request;
  const named = `${method} ${url.origin}${url.pathname}`;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readText(response, maxBytes);
    if (!response.ok) {
      throw new ServerError(`${named} answered ${response.status}: ${quote(text, bare)}`, response.status);
    }
    return { document: readJson(text), headers: response.headers };
  } catch (error) {
    if (error instanceof ServerError) {
      throw error;
    }
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    throw new ServerError(`${named}: ${quote(cause instanceof Error ? cause.message : message, bare)}`, null);
  }
}
