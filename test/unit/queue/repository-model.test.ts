// The proof of Q1 to Q5, Q7, Q8 and Q10 under any sequence of events, against a model so simple that it can be read in
// one go: a list of updates, and at most one request a user.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bringBackForMs } from '../../../app/contract/queue.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Disposition, Outcome } from '../../../app/queue/disposition.ts';
import type { OpenRequest, Owner, UpdateRow } from '../../../app/queue/rows.ts';
import { openQueueRepository, type QueueRepository } from '../../../app/queue/repository.ts';
import type { Database } from '../../../app/storage/database.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';

const scope = { platform: 'https://platform.example.com', companyId: '7' as Id };
const owners: readonly Owner[] = ['ana@example.com', 'bia@example.com'].map((email) => ({ ...scope, email }));
const products = ['1', '2', '3', '9007199254740993', '9223372036854775807'] as Id[];

/** One of them has the number of a product. */
const users = ['1', '703'] as Id[];

const who = fc.constantFrom(0, 1);
const settings = fc.dictionary(fc.constantFrom(...products), fc.boolean());
const anyDisposition: fc.Arbitrary<Disposition> = fc.oneof(
  fc.constant<Disposition>({ step: 'delivered' }),
  fc.record({
    step: fc.constant('sendAgain' as const),
    cause: fc.constantFrom('network' as const, 'rate' as const, 'signIn' as const),
    proveFirst: fc.boolean(),
  }),
  fc.record({
    step: fc.constant('sealAnew' as const),
    cause: fc.constantFrom('platform' as const, 'rate' as const, 'signIn' as const),
    readFirst: fc.boolean(),
  }),
  fc.record({
    step: fc.constant('parkNamed' as const),
    named: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }),
  }),
  fc.constantFrom<Disposition>({ step: 'halve', readFirst: false }, { step: 'parkAll' }, { step: 'parkMaybeDone' }),
);

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('enqueue' as const),
      owner: who,
      product: fc.constantFrom(...products),
      isEnabled: fc.boolean(),
      isFresh: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('restore' as const), owner: who, user: fc.constantFrom(...users) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('work' as const), owner: who, settings, disposition: anyDisposition }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retry' as const), place: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('discard' as const), place: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('discardMany' as const),
      places: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bringBack' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), owner: who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 121_000, 13 * 3_600_000, -86_400_000),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

interface Known {
  readonly owner: number;
  readonly kind: UpdateRow['kind'];
  readonly subject: Id;
  readonly isEnabled: boolean;
  /** A person has given it up, or it cannot come back. */
  isOver: boolean;
}

function isOver(row: UpdateRow): boolean {
  return row.state === 'delivered' || row.state === 'superseded' || row.state === 'discarded';
}

class Trial {
  readonly #directory = makeTemporaryDirectory();
  readonly #accepted: Known[] = [];
  readonly #spent = new Set<string>();
  readonly #open: (OpenRequest | null)[] = [null, null];
  #database: Database | null = null;
  #now = Date.UTC(2025, 5, 1);
  #keys = 0;
  /** The update that was given up last. */
  #given: readonly number[] = [];

  /** Answers how many updates there were. */
  async run(actions: readonly Action[]): Promise<number> {
    let repository = await this.#reopen();
    for (const next of actions) {
      if (next.kind === 'crash') {
        this.#crashWhileSending(repository, next.owner);
        repository = await this.#reopen();
      } else {
        this.#act(repository, next);
      }
      this.#check(repository);
    }
    this.#drain(repository);
    return this.#accepted.length;
  }

  close(): void {
    this.#database?.close();
    this.#directory.remove();
  }

  async #reopen(): Promise<QueueRepository> {
    this.#database?.close();
    this.#database = await openQueueDatabase(this.#directory.path);
    const repository = openQueueRepository(this.#database, openCouponRepository(this.#database).confirm);
    repository.begin(this.#now);
    return repository;
  }

  #act(repository: QueueRepository, next: Exclude<Action, { kind: 'crash' }>): void {
    switch (next.kind) {
      case 'enqueue':
        expect(
          repository.enqueue({
            ownerId: this.#idOf(repository, next.owner),
            productId: next.product,
            isEnabled: next.isEnabled,
            seen: !next.isEnabled,
            isSeenFresh: next.isFresh,
            now: this.#now,
          }),
        ).toBe(true);
        this.#accepted.push({
          owner: next.owner,
          kind: 'coupon',
          subject: next.product,
          isEnabled: next.isEnabled,
          isOver: false,
        });
        break;
      case 'restore': {
        const ownerId = this.#idOf(repository, next.owner);
        const open = this.#rows(repository).find(
          (row) =>
            row.kind === 'restoreUser' && row.owner_id === ownerId && row.subject_id === next.user && !isOver(row),
        );
        expect(repository.enqueueRestoration({ ownerId, userId: next.user, now: this.#now })).toBe(true);
        if (open === undefined) {
          this.#accepted.push({
            owner: next.owner,
            kind: 'restoreUser',
            subject: next.user,
            isEnabled: true,
            isOver: false,
          });
        } else {
          // Q8: the same one, tried again where it was parked.
          expect(repository.find(open.id)?.state).toBe(open.state === 'parked' ? 'pending' : open.state);
        }
        break;
      }
      case 'work':
        this.#work(repository, next.owner, new Map(Object.entries(next.settings) as [Id, boolean][]), next.disposition);
        break;
      case 'retry': {
        const row = this.#rows(repository)[next.place];
        expect(repository.retry(row?.id ?? -1, this.#now)).toBe(row?.state === 'parked');
        break;
      }
      case 'discard': {
        const row = this.#rows(repository)[next.place];
        expect(repository.discard(row?.id ?? -1, this.#now)).toBe(row?.state === 'parked' || row?.state === 'pending');
        this.#given = row === undefined ? [] : [row.id];
        break;
      }
      case 'discardMany': {
        const rows = this.#rows(repository);
        this.#given = repository.discardMany(
          next.places.map((place) => rows[place]?.id ?? -1),
          this.#now,
        );
        expect(this.#given.toSorted((left, right) => left - right)).toEqual(
          rows
            .filter(({ state }, place) => next.places.includes(place) && (state === 'parked' || state === 'pending'))
            .map(({ id }) => id),
        );
        break;
      }
      case 'bringBack':
        this.#bringBack(repository);
        break;
      case 'wait':
        this.#now += next.ms;
        break;
    }
  }

  /** Q10 */
  #bringBack(repository: QueueRepository): void {
    const before = this.#rows(repository);
    const broughtBack = repository.bringBack(this.#given, this.#now);
    const stands = this.#rows(repository).filter((row, place) => row.state !== before[place]?.state);
    expect(stands).toHaveLength(broughtBack);
    for (const row of stands) {
      const was = before.find(({ id }) => id === row.id);
      expect(
        was?.state === 'discarded' &&
          this.#given.includes(row.id) &&
          Math.abs(this.#now - was.changed_at) <= bringBackForMs,
      ).toBe(true);
      expect(row.state).toBe(row.parked_because === null ? 'pending' : 'parked');
      expect(row.checked_steady_ms, 'the platform is read before it goes').toBeNull();
      const isNewer = ({ id, kind, subject_id: subject, state }: UpdateRow): boolean =>
        id > row.id &&
        kind === row.kind &&
        subject === row.subject_id &&
        state !== 'discarded' &&
        !stands.some((other) => other.id === id);
      expect(before.some(isNewer), 'nobody has asked for anything newer').toBe(false);
      const known = this.#accepted[before.findIndex(({ id }) => id === row.id)];
      if (known !== undefined) {
        known.isOver = false;
      }
    }
  }

  #crashWhileSending(repository: QueueRepository, owner: number): void {
    const work = repository.nextWork(this.#idOf(repository, owner), this.#now);
    if (typeof work === 'object') {
      repository.beginAttempt(work.resend.id, this.#now);
    }
  }

  /** One step as the engine takes it. */
  #work(repository: QueueRepository, owner: number, has: ReadonlyMap<Id, boolean>, wanted: Disposition): void {
    const ownerId = this.#idOf(repository, owner);
    const work = repository.nextWork(ownerId, this.#now);
    if (work === 'nothing') {
      return;
    }
    if (work === 'read') {
      repository.applyReading(ownerId, has, this.#now, repository.unread(ownerId, this.#now));
      expect(repository.nextWork(ownerId, this.#now), 'a reading is enough').not.toBe('read');
      return;
    }
    this.#keys += 1;
    const before = this.#open[owner] ?? null;
    const request = repository.seal(ownerId, `key-${this.#keys}`, this.#now);
    if (request === null) {
      throw new Error('there was something to seal, and nothing was sealed');
    }
    // Q5
    expect(this.#spent.has(request.idempotencyKey)).toBe(false);
    // Q4: the same key means the same bytes; another one, that the old request was dissolved.
    if (before !== null && before.idempotencyKey === request.idempotencyKey) {
      expect(request.body).toBe(before.body);
    } else if (before !== null) {
      this.#spent.add(before.idempotencyKey);
    }
    const rows = this.#rows(repository).filter((row) => row.state === 'sealed' && row.owner_id === ownerId);
    const isRestoration = rows.some((row) => row.kind === 'restoreUser');
    if (isRestoration) {
      expect([rows.length, request.method, request.path, request.body]).toEqual([
        1,
        'POST',
        `/api/v3/users/${rows[0]?.subject_id}`,
        '{}',
      ]); // Q8
    }
    expect(isRestoration ? '' : request.body).toBe(
      isRestoration
        ? ''
        : `{"items":[${rows.map((row) => `{"product_id":${row.subject_id},"is_enabled":${row.is_enabled === 1}}`).join(',')}]}`,
    );
    expect(request.size).toBe(rows.length);

    const attemptId = repository.beginAttempt(request.id, this.#now);
    // An outcome that dispositionOf never gives for the one kind or the other.
    const isStrange = isRestoration
      ? wanted.step === 'parkNamed' || wanted.step === 'halve'
      : wanted.step === 'parkMaybeDone';
    const within: Disposition =
      wanted.step === 'parkNamed' ? { ...wanted, named: wanted.named.filter((place) => place < request.size) } : wanted;
    const disposition: Disposition = isStrange ? { step: 'parkAll' } : within;
    const outcome: Outcome = {
      kind: 'answer',
      status: 500,
      echo: 'ours',
      isPage: false,
      failure: { kind: 'platformFailed', status: 500 },
    };
    repository.settle({ ownerId, requestId: request.id, attemptId }, outcome, disposition, this.#now);
    if (disposition.step === 'sendAgain') {
      this.#open[owner] = request;
      return;
    }
    this.#open[owner] = null;
    this.#spent.add(request.idempotencyKey);
    const after = this.#rows(repository);
    for (const [place, row] of rows.entries()) {
      const hasNewer = after.some(
        (other) =>
          other.id > row.id &&
          other.kind === row.kind &&
          other.subject_id === row.subject_id &&
          other.owner_id === ownerId &&
          other.state !== 'discarded',
      );
      const isUnknown = isRestoration && disposition.step === 'sealAnew' && disposition.readFirst; // Q11
      const isRefused =
        isUnknown ||
        disposition.step === 'parkAll' ||
        disposition.step === 'parkMaybeDone' ||
        (disposition.step === 'parkNamed' && disposition.named.includes(place));
      const open = isRefused ? 'parked' : 'pending';
      const undelivered = hasNewer ? 'superseded' : open;
      const state = disposition.step === 'delivered' ? 'delivered' : undelivered;
      expect(after.find(({ id }) => id === row.id)?.state).toBe(state);
    }
  }

  #check(repository: QueueRepository): void {
    const rows = this.#rows(repository);
    // Q1: what was accepted is there, once, as it was asked for and in that order.
    expect(rows.map((row) => [row.owner_id, row.kind, row.subject_id, row.is_enabled === 1])).toEqual(
      this.#accepted.map((known) => [this.#idOf(repository, known.owner), known.kind, known.subject, known.isEnabled]),
    );
    for (const [place, row] of rows.entries()) {
      const isOfSame = (other: UpdateRow): boolean =>
        other.kind === row.kind && other.subject_id === row.subject_id && other.owner_id === row.owner_id;
      const newer = rows.slice(place + 1).filter(isOfSame);
      // Q3
      if (row.state === 'pending') {
        expect(newer, 'a pending update is the newest of its product').toEqual([]);
      }
      if (row.state === 'superseded') {
        expect(newer, 'only a newer one supersedes').not.toEqual([]);
      }
      if (row.state === 'parked') {
        expect(row.parked_because).toMatch(row.kind === 'coupon' ? /^(refused|conflict)$/ : /^(refused|maybeDone)$/);
      }
      // A finished update stays finished.
      const known = this.#accepted[place];
      expect(known?.isOver === true && !isOver(row)).toBe(false);
      if (known !== undefined) {
        known.isOver = isOver(row);
      }
      if (row.kind === 'restoreUser' && !isOver(row)) {
        expect(newer, 'a user has at most one open restoration').toEqual([]); // Q8
      }
    }
    for (const owner of [0, 1]) {
      const sealed = rows.filter((row) => row.state === 'sealed' && row.owner_id === this.#idOf(repository, owner));
      expect(new Set(sealed.map((row) => row.request_id)).size).toBeLessThanOrEqual(1);
    }
  }

  /** With a platform that is well, everything that waits is delivered or waits for a person, in few steps. */
  #drain(repository: QueueRepository): void {
    for (const owner of [0, 1]) {
      for (let step = 0; repository.nextWork(this.#idOf(repository, owner), this.#now) !== 'nothing'; step += 1) {
        expect(step).toBeLessThan(20);
        this.#work(repository, owner, new Map(), { step: 'delivered' });
      }
    }
    this.#check(repository);
    expect(this.#rows(repository).filter((row) => row.state === 'pending' || row.state === 'sealed')).toEqual([]);
  }

  #idOf(repository: QueueRepository, owner: number): number {
    return repository.ownerId(owners[owner] ?? { ...scope, email: '' });
  }

  #rows(repository: QueueRepository): readonly UpdateRow[] {
    return repository.history.list([], 0, 10_000).rows.toReversed();
  }
}

test('Q1 to Q5, Q7, Q8, Q10: any sequence of events leaves every update where the model says', async () => {
  let updates = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60, size: 'max' }), async (actions) => {
      const trial = new Trial();
      try {
        updates += await trial.run(actions);
      } finally {
        trial.close();
      }
    }),
    { numRuns: 50, seed: 1 },
  );
  expect(updates).toBeGreaterThan(250);
});
