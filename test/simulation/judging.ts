import type { Evidence } from './evidence.ts';
import type { Exchange, Network } from './network.ts';
import type { Referee } from './referee.ts';
import type { RefereeTokens, TokenRules } from './referee-tokens.ts';

/** The rules of invariants.ts, and those of counter/counter-judge.ts. */
export type Rule =
  | 'A1'
  | 'A2'
  | 'A3'
  | 'A4'
  | 'A5'
  | 'A6'
  | 'A7'
  | 'A8'
  | 'A9'
  | 'A10'
  | 'I0'
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'I13'
  | 'I14'
  | 'I15'
  | 'I16'
  | 'I17'
  | 'I18'
  | 'I19'
  | 'I20'
  | 'I21'
  | 'I22'
  | 'I23'
  | 'I24'
  | 'I25'
  | 'I26'
  | 'I27'
  | 'I28'
  | 'I29'
  | 'I30'
  | 'I31'
  | 'H1'
  | 'H6'
  | 'H11'
  | 'H12'
  | 'L1';

/** A key may be given up after this long without an answer, in milliseconds: the platform may have forgotten it. */
export const keyOldMs = 11 * 3_600_000;

export interface Violation {
  readonly rule: Rule;
  readonly atMs: number;
  readonly what: string;
}

/** The facts that are known of the sign-ins of one platform. */
export interface SignInsOfStore {
  readonly emails: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly rules: TokenRules;
  readonly tokens: Pick<RefereeTokens, 'asksFor' | 'overtaken'>;
}

/** A product of a company; a type of its own, for a product alone passes for none. */
export type Place = `${string} ${string}`;

export interface Run {
  readonly evidence: Evidence;
  readonly referee: Referee;
  readonly exchanges: readonly Exchange[];
  readonly refusals: Network['refusals'];
  /** The sign-ins of the practice store, which is a platform of its own; null where there is none. */
  readonly practice: SignInsOfStore | null;
  /** Products that somebody besides their one user may change. */
  readonly contested: ReadonlySet<Place>;
  /** Users whom somebody else may restore or delete, too. */
  readonly busyUsers: ReadonlySet<string>;
  /** The lowest age that was chosen from which on an update asks, in milliseconds. */
  readonly askAfterMs: number;
  /** Between which hours batches are asked for; null where they are not. */
  readonly night: { readonly from: number; readonly to: number } | null;
  readonly endMs: number;
}

/** Whose updates they are: a user at a company. */
export function laneOf({
  email,
  companyId,
}: {
  readonly email: string | null;
  readonly companyId: string | null;
}): string {
  return `${companyId ?? ''} ${email ?? ''}`;
}

/** Names a product of a company. */
export function placeOf({ companyId, productId }: { readonly companyId: string; readonly productId: string }): Place {
  return `${companyId} ${productId}`;
}

/**
 * The products that searches of plans have found beyond those that they were saved for: the plan's user changes that at
 * its moment, too.
 */
export function foundByPlans({ rows, plans }: Evidence): ReadonlySet<Place> {
  return new Set(
    rows.flatMap((row) => {
      const of = plans.find(({ name }) => name === row.plan);
      return of?.isSearch === true && !of.productIds.includes(row.productId) ? [placeOf(row)] : [];
    }),
  );
}

/** The subject of an update, and whose it is. */
export function subjectOf(value: {
  readonly email: string | null;
  readonly companyId: string | null;
  readonly productId: string;
}): string {
  return `${laneOf(value)} ${value.productId}`;
}

/** The answer of an exchange about its key. `unsigned`: an answer that does not name it, or names another. */
export function verdictOf({ outcome, key }: Exchange): 'spent' | 'unsigned' | 'nothing' {
  if (outcome?.ok !== true) {
    return 'nothing';
  }
  const { status, headers } = outcome.value;
  const echo = headers['idempotency-key'];
  const isSuccess = status >= 200 && status < 300;
  const isPage = (headers['content-type'] ?? '').includes('html');
  if (echo === key) {
    return 'spent';
  }
  if (echo !== undefined) {
    return 'unsigned';
  }
  if (isSuccess) {
    return isPage ? 'nothing' : 'spent';
  }
  return 'unsigned';
}

/** A machine before the platform says these, perhaps after the change was made. */
const ofMiddleboxes = [407, 408, 409, 425];

/** Whether what it asked for was refused for certain; an answer with another's key may be another's. */
export function isRefusal({ outcome, key }: Exchange): boolean {
  const { status = 0, headers = {} } = outcome?.ok === true ? outcome.value : {};
  const isOurs = (headers['idempotency-key'] ?? key) === key;
  return isOurs && status >= 400 && status < 500 && !ofMiddleboxes.includes(status);
}

/** Whether an exchange answered that what it asked for is done. */
export function isConfirmed(exchange: Exchange): boolean {
  return (
    exchange.outcome?.ok === true &&
    exchange.outcome.value.status >= 200 &&
    exchange.outcome.value.status < 300 &&
    verdictOf(exchange) === 'spent'
  );
}

/**
 * Whether the answer found no room on the disk, or the process died in the moment of it; the terminal does not know it
 * then, and asks for it again.
 */
export function isUnkept({ fullDisks, deaths }: Evidence, { endedAtMs, life }: Exchange): boolean {
  return (
    fullDisks.some(({ fromMs, toMs }) => endedAtMs !== null && endedAtMs >= fromMs && endedAtMs <= toMs) ||
    deaths.some((death) => death.life === life && death.atMs === endedAtMs)
  );
}

/** When each run of the terminal died, by its number. */
export function deathsOf(evidence: Evidence): ReadonlyMap<number, number> {
  return new Map(evidence.deaths.map(({ life, atMs }) => [life, atMs]));
}

/** The settings that a request asks for, as the terminal wrote them. */
export function itemsOf({ body }: Exchange): readonly { readonly productId: string; readonly isEnabled: boolean }[] {
  return [...body.matchAll(/"product_id":(\d+),"is_enabled":(true|false)/g)].map(([, productId, word]) => ({
    productId: productId ?? '',
    isEnabled: word === 'true',
  }));
}
