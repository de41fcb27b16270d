import { describe, expect, it } from 'vitest';
import {
  choosableOf,
  countOf,
  createQueueStores,
  hiddenBy,
  queueFilters,
  shownStatus,
} from '../../../../renderer/queue/queue-store.ts';
import { noUpdates } from '../../../../app/contract/terminal-state.ts';
import { toDecideOf } from '../../../../app/contract/waiting.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { createHeldBridge, ok } from '../stores/held-bridge.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

describe('the list of the queue', () => {
  const counts = { pending: 1, inFlight: 2, delivered: 4, parked: 8, superseded: 16, discarded: 32 };
  it('counts what each filter shows', () => {
    expect([
      countOf(counts, 'all'),
      countOf(counts, 'waiting'),
      countOf(counts, 'parked'),
      countOf(counts, 'givenUp'),
      countOf(counts, 'replaced'),
    ]).toEqual([47, 3, 8, 32, 16]);
  });

  it('says of what was sent and waits for the next try that it was tried, and not that it is being sent', () => {
    const sealed = { status: 'inFlight', isUnderWay: false, attempts: 2, failure: null } as const;
    expect(shownStatus({ ...sealed, isUnderWay: true })).toBe('inFlight');
    expect(shownStatus(sealed)).toBe('tried');
    expect(shownStatus({ ...sealed, attempts: 0 })).toBe('pending');
    expect(shownStatus({ ...sealed, status: 'parked' })).toBe('parked');
  });

  it('tells what was taken back apart from what was given up', () => {
    const over = { status: 'discarded', isUnderWay: false, attempts: 0 } as const;
    expect(shownStatus({ ...over, failure: { kind: 'cancelled' } })).toBe('undone');
    expect(shownStatus({ ...over, failure: null })).toBe('discarded');
    expect(shownStatus({ ...over, attempts: 1, failure: { kind: 'cancelled' } })).toBe('discarded');
  });

  it('says for each filter how many can be chosen', () => {
    expect(choosableOf(counts, 'all')).toBe(9);
    expect(choosableOf(counts, 'waiting')).toBe(1);
    expect(choosableOf(counts, 'parked')).toBe(8);
    expect(choosableOf(counts, 'givenUp')).toBe(0);
  });

  it('says how many of those that wait or need a decision, whoever made them, a search hides', () => {
    const queue = {
      ...noUpdates,
      pending: 20,
      inFlight: 3,
      parked: 8,
      ofOthers: { count: 2, emails: [], parked: 5 },
      ofKept: { count: 4, emails: [] },
      elsewhere: [{ platformUrl: 'https://platform.example.com', companyId: '8' as Id, count: 3, emails: [] }],
    };
    expect(toDecideOf(queue)).toBe(13);
    expect(hiddenBy('cerveja', counts, queue)).toBe(45 - 11);
    expect(hiddenBy(' ', counts, queue)).toBe(0);
    expect(hiddenBy('cerveja', null, queue)).toBe(0);
  });

  it('chooses only what something can be done with, and asks for what is not in sight', async () => {
    const { bridge, next } = createHeldBridge();
    const { list, choice, facts } = createQueueStores(makeLastingStore, bridge, () => () => undefined);
    list.getState().see(0, 0);
    const row = (id: number, status: string): unknown => ({
      kind: 'restoreUser',
      id,
      status,
      email: 'ana@example.com',
      companyId: '7',
      isOwn: true,
      createdAt: 0,
      changedAt: 0,
      attempts: 0,
      failure: null,
      parkedBecause: null,
      userId: '7',
    });
    await next('queue:list').answer(
      ok({ total: 300, counts, isCut: false, rows: [row(9, 'pending'), row(8, 'delivered'), row(7, 'parked')] }),
    );
    expect(facts.getState().counts).toEqual(counts);
    const { toggle, extendTo, chooseAll } = choice.getState();
    toggle(1);
    expect([...choice.getState().chosen]).toEqual([]);
    toggle(0);
    await extendTo(2);
    expect([...choice.getState().chosen]).toEqual([9, 7]);
    void chooseAll();
    const asked = next('queue:listIds');
    expect(asked.input).toEqual({ statuses: [...queueFilters.all], offset: 0, limit: 300 });
    await asked.answer(ok({ total: 300, updateIds: [9, 7, 5] }));
    expect([...choice.getState().chosen]).toEqual([9, 7, 5]);
  });
});
