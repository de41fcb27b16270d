// Which addresses of a platform are acceptable: https anywhere, http on this machine alone, so that a token never
// crosses a network in the clear.
import type { Failure } from './failure.ts';
import { fail, succeed, type Result } from './result.ts';
import { isLoopback } from './loopback.ts';

/** In characters, as it is kept. */
export const maxPlatformAddressLength = 2000;

/** The beginning of every call's path (API v3 §1): no part of the base, though it is often copied along. */
const callsBegin = /(?:\/+api(?:\/+v\d+)?)*\/*$/;

/**
 * Reads a platform's base address and answers it without a slash, and without /api/v3, at its end. Fails with
 * `addressInvalid` or `addressNotSecure`.
 */
export function readPlatformAddress(text: string): Result<string, Failure> {
  const url = URL.parse(text.trim());
  if (
    url === null ||
    url.href.length > maxPlatformAddressLength ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== ''
  ) {
    return fail({ kind: 'addressInvalid' });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return fail({ kind: 'addressNotSecure' });
  }
  return succeed(url.origin + url.pathname.replace(callsBegin, ''));
}
