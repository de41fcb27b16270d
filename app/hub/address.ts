import type { HubReport } from '../contract/hub.ts';
import { isLoopback } from '../domain/loopback.ts';
import { fail, succeed, type Result } from '../domain/result.ts';

/** A PostgreSQL server, one of its databases, and who signs in to it. */
export interface HubServer {
  readonly user: string;
  readonly password: string;
  /** A name, an IPv4 address, or an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** SHA-256 of the server's certificate, 64 hex digits in lower case; null where none is named. */
  readonly fingerprint: string | null;
}

/** The facts that a terminal must know of a hub. */
export interface HubAddress extends HubServer {
  /** 32 bytes in base64url. The server never learns it. */
  readonly storeKey: string;
}

/** Which part of an address cannot be used. */
export type HubAddressFailure = NonNullable<HubReport['wrongPart']>;

const maxLength = 2_000;
const maxPasswordLength = 200;
const maxHostLength = 253;
/** PostgreSQL cuts off what is longer. */
const maxNameBytes = 63;
const defaultPort = 5432;

const shape =
  /^([a-z-]+):\/\/([^:@/?#\s]*)(?::([^:@/?#\s]*))?@(\[[^\]\s]*\]|[^:@/?#[\]\s]*)(?::([^:@/?#\s]*))?(?:\/([^:@/?#\s]*))?(?:#([^#\s]*))?$/i;
const namePattern = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;
/** 43 characters carry 258 bits; the last two are zero. */
const storeKeyPattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const fingerprintPattern = /^[0-9a-f]{64}$/;

/** The text behind the percent signs; null where they, or what they stand for, make none. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return /\p{Cc}/u.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

function readName(text: string): string | null {
  const name = decode(text);
  return name === null || name === '' || new TextEncoder().encode(name).length > maxNameBytes ? null : name;
}

function readHost(text: string): string | null {
  if (text.startsWith('[')) {
    const url = `http://${text}/`;
    return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null;
  }
  const host = text.toLowerCase();
  return host.length <= maxHostLength && namePattern.test(host) ? host : null;
}

function readPort(text: string | undefined): number | null {
  if (text === undefined) {
    return defaultPort;
  }
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

/** Everything before the `#`, and what comes after it. */
function readServer(
  text: string,
  protocols: readonly string[],
): Result<{ readonly server: Omit<HubServer, 'fingerprint'>; readonly rest: string | null }, HubAddressFailure> {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) {
    return fail('tooLong');
  }
  if (!protocols.some((protocol) => trimmed.toLowerCase().startsWith(`${protocol}://`))) {
    return fail('protocol');
  }
  const parts = shape.exec(trimmed);
  if (parts === null) {
    return fail('shape');
  }
  const user = readName(parts[2] ?? '');
  const password = decode(parts[3] ?? '');
  const host = readHost(parts[4] ?? '');
  const port = readPort(parts[5]);
  const database = readName(parts[6] ?? '');
  if (user === null) return fail('user');
  if (password === null || password.length > maxPasswordLength) return fail('password');
  if (host === null) return fail('host');
  if (port === null) return fail('port');
  if (database === null) return fail('database');
  return succeed({ server: { user, password, host, port, database }, rest: parts[7] ?? null });
}

/** Reads `tillside-hub://user:password@host:port/database#storeKey.fingerprint`. */
export function readHubAddress(text: string): Result<HubAddress, HubAddressFailure> {
  const read = readServer(text, ['tillside-hub']);
  if (!read.ok) {
    return read;
  }
  const { server, rest } = read.value;
  const [storeKey = '', fingerprint, ...more] = (rest ?? '').split('.');
  if (server.password === '') return fail('password');
  if (!storeKeyPattern.test(storeKey)) return fail('storeKey');
  if (fingerprint === undefined && !isLoopback(server.host)) return fail('fingerprintMissing');
  const lowered = fingerprint?.toLowerCase() ?? null;
  if (more.length > 0 || (lowered !== null && !fingerprintPattern.test(lowered))) return fail('fingerprint');
  return succeed({ ...server, storeKey, fingerprint: lowered });
}

/**
 * Reads `postgres://owner:password@host:port/database`, with `#fingerprint` after it where the certificate is known; openssl
 * prints that with colons. The password may be absent.
 */
export function readOwnerAddress(text: string): Result<HubServer, HubAddressFailure> {
  const read = readServer(text, ['postgres', 'postgresql']);
  if (!read.ok) {
    return read;
  }
  const fingerprint = read.value.rest?.replaceAll(':', '').toLowerCase() ?? null;
  return fingerprint === null || fingerprintPattern.test(fingerprint)
    ? succeed({ ...read.value.server, fingerprint })
    : fail('fingerprint');
}

/** The address as `readHubAddress` reads it. */
export function printHubAddress({ user, password, host, port, database, storeKey, fingerprint }: HubAddress): string {
  const machine = host.includes(':') ? `[${host}]` : host;
  const signIn = [user, password].map(encodeURIComponent).join(':');
  const keys = [storeKey, ...(fingerprint === null ? [] : [fingerprint])].join('.');
  return `tillside-hub://${signIn}@${machine}:${port}/${encodeURIComponent(database)}#${keys}`;
}

/** Whether both are the same database of the same server. */
export function isSamePlace(
  hub: Pick<HubAddress, 'host' | 'port' | 'database'>,
  { host, port, database }: Pick<HubAddress, 'host' | 'port' | 'database'>,
): boolean {
  return hub.host === host && hub.port === port && hub.database === database;
}
