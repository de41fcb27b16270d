// Owns which addresses of a platform are acceptable: https anywhere, http on this machine alone, so that a token never
// crosses a network in the clear. Never connects.
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { isLoopback } from './proxy.ts';

/** Reads a platform's base address and answers it without a slash at its end. Fails with `addressInvalid` or `addressNotSecure`. */
export function readPlatformAddress(text: string): Result<string, Failure> {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '') {
    return fail({ kind: 'addressInvalid' });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return fail({ kind: 'addressNotSecure' });
  }
  return succeed(url.origin + url.pathname.replace(/\/+$/, ''));
}
