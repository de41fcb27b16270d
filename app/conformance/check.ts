import type { z } from 'zod';
import { at, type Exchange, type Probe } from './probe.ts';
import type { Reason } from './words.ts';

export type Complaint =
  | { readonly kind: 'broken'; readonly why: Reason; readonly exchange: Exchange | null }
  | { readonly kind: 'untold'; readonly why: Reason };

/** One line of the platform's document, and how it is judged. */
export interface Check {
  /** The section of API v3, a colon and a name, e.g. "4.3:per-page"; its title is in the words. */
  readonly id: string;
  /** Compares answers between which others may have changed something: a break is looked at a second time. */
  readonly isMoving?: boolean;
  /** Null when the line is kept. */
  readonly judge: (probe: Probe) => Promise<Complaint | null>;
}

/** A line that each answer must keep, whatever was asked. */
export interface EveryAnswer {
  readonly id: string;
  readonly judge: (exchange: Exchange) => Complaint | null;
}

export function broken(exchange: Exchange | null, key: Reason['key'], params: Reason['params'] = {}): Complaint {
  return { kind: 'broken', why: { key, params }, exchange };
}

export function untold(key: Reason['key'], params: Reason['params'] = {}): Complaint {
  return { kind: 'untold', why: { key, params } };
}

const written = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '—';
const shown = (value: unknown): string => written(value).slice(0, 80);

/** The answer has one of these statuses. */
export function hasStatus(exchange: Exchange, ...allowed: readonly number[]): Complaint | null {
  const got = String(exchange.answer.status);
  return allowed.includes(exchange.answer.status)
    ? null
    : broken(exchange, 'status', { got, expected: allowed.join(', ') });
}

/** A success of this shape. */
export function hasShape(exchange: Exchange, schema: z.ZodType): Complaint | null {
  const wrong = hasStatus(exchange, 200);
  const issue = wrong === null ? schema.safeParse(exchange.json).error?.issues[0] : undefined;
  if (issue === undefined) return wrong;
  // The sole union is that of an integer.
  const ofUnion = issue.code === 'invalid_union' ? 'int64' : issue.message;
  const expected = 'expected' in issue ? issue.expected : ofUnion;
  const what = issue.path.join('.');
  return broken(exchange, 'value', { what, got: shown(at(exchange.json, ...(issue.path as string[]))), expected });
}

/** What was found is what should be. */
export function equals(exchange: Exchange, what: string, got: unknown, expected: unknown): Complaint | null {
  return written(got) === written(expected)
    ? null
    : broken(exchange, 'value', { what, got: shown(got), expected: shown(expected) });
}

/** Refused with a 4xx, and with one of these codes where the body has one. */
export function isRefused(
  exchange: Exchange,
  statuses: readonly number[],
  ...codes: readonly string[]
): Complaint | null {
  const { status } = exchange.answer;
  const code = at(exchange.json, 'code');
  if (status < 300) return broken(exchange, 'accepted');
  const isOtherCode = codes.length > 0 && typeof code === 'string' && !codes.includes(code);
  return (
    hasStatus(exchange, ...statuses) ??
    (isOtherCode ? broken(exchange, 'value', { what: 'code', got: shown(code), expected: codes.join(', ') }) : null)
  );
}

/** Status and code of a refusal, as a reading of the document: "422 unprocessable_entity". */
export function refusalOf({ answer, json }: Exchange): string {
  const code = at(json, 'code');
  return typeof code === 'string' ? `${answer.status} ${code}` : String(answer.status);
}
