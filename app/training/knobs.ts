// Owns the settings that make the training platform behave in each of the ways that API v3 leaves open, or make practice
// harder than life. Never holds what a request does with them.

/** The fields of a listing's elements, which API v3 §2 does not show; see shapes.ts. */
export type ElementShape = 'nested' | 'flat' | 'bare';

export interface Knobs {
  readonly elementShape: ElementShape;
  /** API v3 §8 says 60. */
  readonly requestsPerMinute: number;
  /** How long an access token is good, in seconds; API v3 does not say. */
  readonly accessTokenSeconds: number;
  /** Whether a token response carries `expires_in`. */
  readonly hasExpiresIn: boolean;
  /** `rotated`: a refresh gives a new refresh token and ends the old one; `kept`: it gives none and the old one stays good. */
  readonly refreshTokens: 'rotated' | 'kept';
  /**
   * When an idempotency key is looked at. `first`, the letter of API v3 §8 rules 3 to 5: whatever is answered to a POST or PUT
   * of a known application is kept, a 401 and a 429 too. `afterSignIn`, as many gateways do it: a 401 or 429 is answered
   * before the key is seen, without the two headers, and is not kept.
   */
  readonly keyLookup: 'first' | 'afterSignIn';
}

export const usualKnobs: Knobs = {
  elementShape: 'nested',
  requestsPerMinute: 60,
  accessTokenSeconds: 3600,
  hasExpiresIn: true,
  refreshTokens: 'rotated',
  keyLookup: 'first',
};
