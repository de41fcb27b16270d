/**
 * True for a `Host` (RFC 9110 §7.2) by which a program of this machine names a server on this port of it. Any other name
 * leads here because somebody else's server says so (DNS rebinding).
 */
export function isOwnName(host: string | undefined, port: number): boolean {
  return [`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`].includes(host ?? '');
}
