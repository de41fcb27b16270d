import { randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 bytes of chance, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in a time that tells nothing of where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
