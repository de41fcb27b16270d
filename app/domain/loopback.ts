/** Whether a host, of an address or by itself, is this machine: what goes there crosses no network and no proxy. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}
