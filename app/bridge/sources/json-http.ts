import { z } from 'zod';
import { isLoopback } from '../../domain/loopback.ts';

const timeoutMs = 60_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** The address of a server: https, or http on this machine alone. */
export const serverAddress = z
  .url({ protocol: /^https?$/ })
  .max(1000)
  .refine((text) => {
    const url = URL.parse(text);
    return url?.protocol === 'https:' || isLoopback(url?.hostname ?? '');
  }, 'must be https');

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

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerBytes) {
      throw new RangeError(`the answer is larger than ${maxAnswerBytes} bytes`);
    }
  }
  return text + decoder.decode();
}

/** What a shop's server answers. Throws ServerError for anything but JSON with a status of success. */
export async function askJson(
  url: URL,
  request: { readonly method?: string; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown },
): Promise<{ readonly document: unknown; readonly headers: Headers }> {
  const { method = 'GET', headers, body } = request;
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
    const text = await readText(response);
    if (!response.ok) {
      throw new ServerError(`${named} answered ${response.status}: ${text.slice(0, 200)}`, response.status);
    }
    return { document: JSON.parse(text), headers: response.headers };
  } catch (error) {
    if (error instanceof ServerError) {
      throw error;
    }
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    throw new ServerError(`${named}: ${cause instanceof Error ? cause.message : message}`, null);
  }
}
