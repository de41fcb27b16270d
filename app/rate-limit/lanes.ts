import type { RateLimitWaiter } from '../contract/rate-limit.ts';
import type { Id } from '../domain/int64.ts';

/** The lanes of the rate limit, most urgent first. */
export const lanes = ['session', 'person', 'queue', 'catalogue'] as const;
/** Who is waiting for a slot. */
export type Lane = (typeof lanes)[number];

/** Something counted for each lane. */
export type ByLane = Readonly<Record<Lane, number>>;

/** How many in all lanes. */
export function usedOf(held: ByLane): number {
  return lanes.reduce((sum, lane) => sum + held[lane], 0);
}

/** Both together, lane by lane. */
export function addLanes(one: ByLane, other: ByLane): ByLane {
  return {
    session: one.session + other.session,
    person: one.person + other.person,
    queue: one.queue + other.queue,
    catalogue: one.catalogue + other.catalogue,
  };
}

/** The purpose of a request, as a technician would say it; `subject` is a product's id, a text asked for, or a page. */
export interface Purpose {
  readonly kind: RateLimitWaiter['purpose'];
  readonly subject: string | null;
  /** The figure that is asked for, where one listing may answer it with others of its scope. */
  readonly figure?: WantedFigure;
}

/** A product's figure; `scope` says of which company and stock. */
export interface WantedFigure {
  readonly scope: string;
  readonly productId: Id;
}

/** The purpose that a lane mostly asks for. */
export const defaultPurpose: Readonly<Record<Lane, Purpose>> = {
  session: { kind: 'signIn', subject: null },
  person: { kind: 'connection', subject: null },
  queue: { kind: 'updates', subject: null },
  catalogue: { kind: 'connection', subject: null },
};
