// Checks the invariants of renderer/scanner/scans-store.ts by number.
import { describe, expect, it } from 'vitest';
import { createScansStore, type ScanPorts } from '../../../../renderer/scanner/scans-store.ts';
import { createPersonStores } from '../../../../renderer/stores/make-store.ts';

function open(start: Partial<Record<'isReady' | 'awaitsSignIn' | 'isDialogOpen' | 'isHome', boolean>> = {}) {
  const page = { isReady: true, awaitsSignIn: false, isDialogOpen: false, isHome: true, ...start };
  const done: string[] = [];
  const ports: ScanPorts = {
    takeBadge: (text) => void done.push(`badge ${text}`),
    isReady: () => page.isReady,
    awaitsSignIn: () => page.awaitsSignIn,
    isDialogOpen: () => page.isDialogOpen,
    isHome: () => page.isHome,
    show: (text) => void done.push(`show ${text}`),
    note: (text) => void done.push(`note ${text}`),
    withdraw: (text) => void done.push(`withdraw ${text}`),
    showPieces: () => void done.push('pieces'),
  };
  const people = createPersonStores();
  const store = createScansStore(people.make, ports);
  return { page, done, store, leave: () => people.take('next', false), scans: () => store.getState() };
}

it('all that a scanner has stored waits behind a dialog for a screen that takes all', () => {
  const { page, scans } = open({ isDialogOpen: true });
  const taken: (string | null)[] = [];
  const stop = scans().divert({ take: (text) => void taken.push(text), withdraw: () => undefined });
  const codes = Array.from({ length: 3000 }, (_, place) => String(place));
  codes.forEach((code) => scans().receive(code));
  page.isDialogOpen = false;
  scans().endWaiting();
  stop();
  expect(taken).toEqual(codes);
});

it.each([true, false])('a link is offered where a screen takes all scans, which it is none of (5)', (isDialogOpen) => {
  const { page, done, scans } = open({ isDialogOpen, isHome: false });
  const taken: (string | null)[] = [];
  const stop = scans().divert({ take: (text) => void taken.push(text), withdraw: () => undefined });
  scans().follow('1', 0);
  scans().follow('2', 0);
  scans().receive('3');
  page.isDialogOpen = false;
  scans().endWaiting();
  stop();
  expect([taken, done, scans().offered, scans().isOfLink]).toEqual([['3'], ['note 1'], '2', true]);
});

it('a link waits for a sign-in, a dialog or its turn as a scan does', () => {
  for (const start of [{}, { isReady: false, awaitsSignIn: true }, { isDialogOpen: true }]) {
    const [scan, link] = [open(start), open(start)];
    scan.scans().receive('1');
    link.scans().follow('1', 0);
    expect([link.done, link.scans().unseen, link.scans().waiting]).toEqual([
      scan.done,
      scan.scans().unseen,
      scan.scans().waiting,
    ]);
  }
});

describe('a scan', () => {
  it('is shown', () => {
    const { done, scans } = open();
    scans().receive('1');
    scans().receive('2');
    expect(done).toEqual(['show 1', 'show 2']);
  });

  it.each(['TILL0123456789012345', ']C0TILL0123456789012345', 'till0123456789012345', 'TILL01234567890123'])(
    'of a badge (%s) is handed on from anywhere, and is not shown, waiting or among the recent ones',
    (code) => {
      for (const start of [{}, { isReady: false }, { isDialogOpen: true }, { isHome: false }]) {
        const { page, done, scans } = open(start);
        const stop = scans().divert({ take: (text) => void done.push(`take ${text}`), withdraw: () => undefined });
        scans().receive(code);
        stop();
        page.isDialogOpen = false;
        scans().endWaiting();
        expect([done, scans().waiting, scans().offered, scans().early]).toEqual([[`badge ${code}`], [], null, 0]);
      }
    },
  );

  it('that turns out to be a part of a badge is withdrawn', () => {
    const { done, scans } = open();
    scans().receive('4567');
    scans().receive('TILL0123456789012345', ['4567']);
    expect(done).toEqual(['show 4567', 'withdraw 4567', 'badge TILL0123456789012345']);
  });

  it('before a sign-in is kept unseen and shown after it, those before it noted (invariants 1, 3, 4)', () => {
    const { page, done, scans } = open({ isReady: false, awaitsSignIn: true });
    ['1', '2', '3'].forEach((text) => scans().receive(text));
    scans().receive('34', ['3']);
    expect([scans().early > 0, scans().unseen, done]).toEqual([true, ['1', '2', '34'], []]);
    scans().forgetEarly();
    Object.assign(page, { isReady: true, awaitsSignIn: false });
    scans().showUnseen();
    scans().showUnseen();
    expect([scans().early, scans().unseen, done]).toEqual([0, [], ['note 1', 'note 2', 'show 34']]);
  });

  it('before a sign-in goes with the store, and is noted where looking up is allowed (invariants 1, 4)', () => {
    const { page, done, scans, leave } = open({ isReady: false, awaitsSignIn: true });
    scans().receive('1');
    leave();
    scans().showUnseen();
    expect(done).toEqual([]);
    scans().receive('2');
    page.isReady = true;
    scans().receive('3');
    expect(done).toEqual(['note 2', 'show 3']);
  });

  it('before anything is open is told to be too early, until it is forgotten', () => {
    const { done, scans } = open({ isReady: false });
    scans().receive('1');
    expect([scans().early, done]).toEqual([1, []]);
    scans().forgetEarly();
    expect(scans().early).toBe(0);
  });

  it('during a dialog waits; all are shown in order when it is closed at home (invariants 1, 2)', () => {
    const { page, done, scans } = open({ isDialogOpen: true });
    ['1', '2', '3'].forEach((text) => scans().receive(text));
    expect([scans().waiting, done]).toEqual([['1', '2', '3'], []]);
    page.isDialogOpen = false;
    scans().endWaiting();
    expect([scans().waiting, scans().offered, done]).toEqual([[], null, ['show 1', 'show 2', 'show 3']]);
  });

  it('during a dialog elsewhere is offered, those before it noted; the place stays (invariants 1, 2)', () => {
    const { page, done, scans } = open({ isDialogOpen: true, isHome: false });
    ['1', '2', '3'].forEach((text) => scans().receive(text));
    page.isDialogOpen = false;
    scans().endWaiting();
    expect([scans().offered, done]).toEqual(['3', ['note 1', 'note 2']]);
    scans().showOffered();
    expect([scans().offered, done.at(-1)]).toEqual([null, 'show 3']);
    scans().showOffered();
    expect(done).toHaveLength(3);
  });

  it('that is offered is noted when put away, or when the next one or another dialog comes (invariant 1)', () => {
    const { page, done, scans } = open({ isHome: false });
    const offer = (text: string): void => {
      page.isDialogOpen = true;
      scans().receive(text);
      page.isDialogOpen = false;
      scans().endWaiting();
    };
    offer('1');
    scans().putAway();
    offer('2');
    offer('3');
    scans().receive('4');
    expect(done).toEqual(['note 1', 'note 2', 'note 3', 'show 4']);
  });

  it('during the dialog that signs out is not for whoever comes next, and is told to be too early', () => {
    const { page, done, scans } = open({ isDialogOpen: true });
    scans().receive('1');
    Object.assign(page, { isDialogOpen: false, isReady: false });
    scans().endWaiting();
    expect([scans().early, scans().waiting, scans().offered, done]).toEqual([1, [], null, []]);
  });

  it('goes to the screen that takes all, with what it withdraws, and those of a dialog when it is closed', () => {
    const { page, done, scans } = open();
    const tried: (string | null)[] = [];
    const giveBack = scans().divert({
      take: (text) => void tried.push(text),
      withdraw: (text) => void tried.push(`-${text}`),
    });
    scans().receive('1');
    page.isDialogOpen = true;
    ['2', '3'].forEach((text) => scans().receive(text));
    scans().receive(null);
    expect([tried, scans().waiting, scans().isDiverted, done]).toEqual([['1'], ['2', '3'], true, []]);
    page.isDialogOpen = false;
    scans().endWaiting();
    scans().receive('34', ['3']);
    expect(tried).toEqual(['1', '2', '3', null, '-3', '34']);
    giveBack();
    scans().receive('5');
    expect([done, scans().isDiverted]).toEqual([['show 5'], false]);
  });

  it('withdraws what was read too early, wherever that is (invariant 3)', () => {
    const { page, done, scans } = open();
    scans().receive('12');
    scans().receive('1234', ['12']);
    expect(done).toEqual(['show 12', 'withdraw 12', 'show 1234']);
    page.isDialogOpen = true;
    scans().receive('56');
    scans().receive('5678', ['56']);
    expect([scans().waiting, done.length]).toEqual([['5678'], 3]);
  });

  it('in pieces is said: at once, or during a dialog and after it', () => {
    const { page, done, scans } = open();
    scans().receive(null, ['12']);
    expect(done).toEqual(['withdraw 12', 'pieces']);
    page.isDialogOpen = true;
    scans().receive(null);
    expect([scans().isInPieces, scans().waiting]).toEqual([true, []]);
    page.isDialogOpen = false;
    scans().endWaiting();
    expect([scans().isInPieces, done.at(-1), done.length]).toEqual([false, 'pieces', 3]);
  });

  it('that is whole takes the place of one in pieces during a dialog', () => {
    const { scans } = open({ isDialogOpen: true });
    scans().receive(null);
    scans().receive('1');
    expect([scans().isInPieces, scans().waiting]).toEqual([false, ['1']]);
  });

  it('is kept as one of at most 50,000, also when the count for which they waited has gone', () => {
    const { scans, store } = open({ isDialogOpen: true });
    const giveBack = scans().divert({ take: () => undefined, withdraw: () => undefined });
    Array.from({ length: 60 }, (_, number) => scans().receive(String(number)));
    giveBack();
    scans().receive('60');
    expect(scans().waiting).toHaveLength(61);
    store.setState({ waiting: Array.from({ length: 50_000 }, (_, number) => String(number)) });
    scans().receive('last');
    expect([scans().waiting.length, scans().waiting[0], scans().waiting.at(-1)]).toEqual([50_000, '1', 'last']);
  });
});
