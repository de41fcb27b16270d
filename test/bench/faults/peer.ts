import type { PlannedIntent } from './fault-plan.ts';
import { provision } from './fault-world.ts';
import type { PeerAnswer, PeerExchange, PeerSession } from './peer-session.ts';

/** One run of the process that a policy lives in. */
export interface PeerLife {
  readonly session: PeerSession;
  readonly exchange: PeerExchange;
  uuid(): string;
  isOnline(): boolean;
  onOnline(callback: () => void): void;
  /** Which switch a key stands for; for the judge alone. */
  noteKey(key: string, intent: PlannedIntent): void;
  /** The policy reports to the person that the switch failed. */
  giveUp(intentId: number): void;
  /** The switch that this number stands for. */
  intentOf(intentId: number): PlannedIntent;
  productIdOf(intent: PlannedIntent): string;
}

/** A policy at work in one run of the process. */
export interface PeerRun {
  /** Takes a switch; the person sees "queued" when it returns. */
  submit(intent: PlannedIntent): Promise<void> | void;
  /** The intents that still wait in it. */
  waiting(): Promise<ReadonlySet<number>> | ReadonlySet<number>;
}

/** A way to bring switches to the platform. */
export interface Peer {
  readonly name: string;
  /** How it is set up, in one line. */
  readonly setUp: string;
  /** Whether it keeps its queue over a restart. */
  readonly isDurable: boolean;
  /** Loads what cannot be loaded before the simulated globals are in place. No simulated time passes. */
  readonly load?: () => Promise<void>;
  /** Starts it in a new run of the process, on what the last run left. */
  start(life: PeerLife): Promise<PeerRun>;
}

/** An answer to a switch that is not the documented 204 (API v3 §4.7). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly retryAfterMs: number;

  constructor({ status, headers }: PeerAnswer) {
    // Without the status: some libraries look for it in the text.
    super('the platform did not do it');
    this.status = status;
    this.retryAfterMs = retryAfterOf(headers['retry-after']);
  }
}

/** After so many answers that are not a success, a policy gives the switch up and reports it to the person. */
export const answersUntilGivenUp = 10;
export const maxBackoffMs = 60_000;

function retryAfterOf(text: string | undefined): number {
  const waitMs = /^\d+$/.test(text ?? '') ? Number(text) * 1000 : Date.parse(text ?? '') - Date.now();
  return Math.max(0, Number.isNaN(waitMs) ? 0 : waitMs);
}

/** Doubles from 1 s to a minute, with jitter. */
export function backoffMs(failures: number): number {
  return Math.min(maxBackoffMs, 1000 * 2 ** Math.min(failures, 10)) * (0.5 + 0.5 * Math.random());
}

export function waitFor(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}

export const couponUrl = `${provision.profile.platformUrl}/api/v3/products/consumption-coupons`;

/** The headers of a switch, but for its token. */
export function headersOf(key: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'Service-Company-Id': provision.profile.companyId,
    'Idempotency-Key': key,
  };
}

/** The exact body of a switch; ids are int64 and go through no number. */
export function bodyOf(life: PeerLife, intent: PlannedIntent): string {
  return `{"items":[{"product_id":${life.productIdOf(intent)},"is_enabled":${String(intent.isEnabled)}}]}`;
}

/**
 * Sends a switch once under this key, with the token of now. Renews the token after a 401. Throws a Refusal for every
 * answer but the documented 204, and what fetch throws when there is none.
 */
export async function sendOnce(
  life: PeerLife,
  intent: PlannedIntent,
  key: string,
  body = bodyOf(life, intent),
): Promise<void> {
  const token = await life.session.token();
  life.noteKey(key, intent);
  const answer = await life.exchange({
    method: 'PUT',
    url: couponUrl,
    headers: { ...headersOf(key), Authorization: `Bearer ${token}` },
    body,
  });
  if (answer.status === 401) {
    await life.session.renew(token);
  }
  if (answer.status !== 204) {
    throw new Refusal(answer);
  }
}
