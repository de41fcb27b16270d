/** A manager's choices about the loopback address at which programs of this machine ask. */
export interface LocalApiChoice {
  readonly isOn: boolean;
  /** 0 for any free one. */
  readonly port: number;
  /** Of the web pages that may ask, as browsers write them: scheme, host and port, no path. */
  readonly origins: readonly string[];
  readonly mayChangeCoupons: boolean;
}

/**
 * `noToken`: switched on, and nobody has made a token yet. `portTaken`: another program listens there. `notAllowed`: the
 * system keeps that port for itself.
 */
export const localApiStatuses = ['off', 'noToken', 'opening', 'open', 'portTaken', 'notAllowed', 'failed'] as const;

export interface LocalApiStatus {
  readonly status: (typeof localApiStatuses)[number];
  /** Where programs are answered now; null while they are not. */
  readonly openPort: number | null;
}

/** Below the ports that Linux, macOS and Windows give to programs that ask for any. */
export const defaultLocalApiPort = 17_863;

/** Those below belong to the system on Linux and macOS. */
export const portRange = { min: 1024, max: 65_535 } as const;
export const maxOrigins = 20;

/** Whether a text is an origin of the web as a browser sends it (RFC 6454 §6.2), such as "https://till.example.com". */
export function isWebOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text;
}
