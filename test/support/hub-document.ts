import type { HubDocument, Member, Report } from '../../app/hub/document.ts';
import type { ByLane } from '../../app/rate-limit/lanes.ts';
import { platformLimit, windowMs } from '../../app/rate-limit/rules.ts';

export const nothingHeld: ByLane = { session: 0, person: 0, queue: 0, catalogue: 0 };
/** Now, by both clocks of the hub. */
export const nowMs = 10_000_000;

/** A member that has just written; `change` says what is otherwise. */
export function memberOf(change: Partial<Member> = {}): Member {
  return {
    name: 'Till',
    appVersion: '1.0.0',
    rights: 0,
    own: 0,
    share: 0,
    held: nothingHeld,
    windowMs,
    wants: [],
    writes: 1,
    run: '',
    writtenLoMs: nowMs,
    writtenHiMs: nowMs,
    heardHiMs: nowMs,
    isRemembered: false,
    countsAt: null,
    catalogueMs: 0,
    figuresMs: 0,
    readsRows: true,
    ...change,
  };
}

/** A document of these members, from now. */
export function documentOf(members: Readonly<Record<string, Member>>, change: Partial<HubDocument> = {}): HubDocument {
  return {
    format: 1,
    epoch: 'one',
    restored: null,
    serverMs: 0,
    loMs: nowMs,
    hiMs: nowMs,
    lendsFromMs: 0,
    refusal: null,
    catalogueMs: 0,
    figuresMs: 0,
    members: { ...members },
    ...change,
  };
}

/** What member "me" reports at `nowMs`, which has nothing and waits for nothing. */
export function reportOf(change: Partial<Report> = {}): Report {
  return {
    id: 'me',
    name: 'Till',
    appVersion: '1.0.0',
    held: nothingHeld,
    wants: [],
    limit: platformLimit,
    wholeLimit: platformLimit,
    reserve: 3,
    windowMs,
    ending: null,
    removed: [],
    writes: 2,
    run: '',
    heardHiMs: nowMs,
    isFirst: false,
    countsAt: null,
    isNewcomer: false,
    keepsRights: false,
    ...change,
  };
}
