import { describe, expect, it } from 'vitest';
import { createLookupStore } from '../../../../renderer/lookup/lookup-store.ts';
import { card, createHeldWall, found, ok } from '../stores/held-bridge.ts';

describe('a scan in pieces', () => {
  it('takes the place of the answer on the screen, and its lookup is forgotten', async () => {
    const { bridge, next } = createHeldWall();
    const store = createLookupStore(
      bridge,
      () => true,
      () => () => undefined,
      () => undefined,
    );
    const first = store.getState().find('12', 'scan');
    await next('lookup:find').answer(found('12', card('1')));
    await next('lookup:listRecent').answer(ok([]));
    expect(store.getState().answer?.kind).toBe('found');
    store.getState().withdraw('12');
    await next('lookup:withdraw').answer(ok({}));
    store.getState().showPieces();
    const { answer, answered, inPieces, scanned } = store.getState();
    expect([answer, inPieces === answered, scanned === answered]).toEqual([null, true, true]);
    store.getState().clear();
    expect(store.getState().inPieces).not.toBe(store.getState().answered);
    void first;
  });
});
