// Proves the invariants L1 to L6 of the manager's lock under a clock that the test moves: what passes, how long an
// unlocking lasts, how wrong PINs are slowed, and that neither a restart, nor a clock that is set, nor a full disk
// opens anything.
import { describe, expect, test } from 'vitest';
import { isHeld } from '../../../app/contract/access.ts';
import { alwaysHeld } from '../../../app/contract/limits/lock.ts';
import type { HeldKind, LockKind } from '../../../app/contract/lock.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { waitAfter } from '../../../app/lock/waits.ts';
import { createLock, type Lock } from '../../../app/lock/lock.ts';
import { noLock, storedLockSchema, type StoredLock } from '../../../app/lock/stored-lock.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';

const cheap = { logN: 2, blockSize: 1, parallelization: 1 };
const kinds: readonly LockKind[] = ['coupons', 'users', 'settings', 'discarding'];

interface Machine {
  clock: ManualClock;
  stored: StoredLock;
  isFull: boolean;
  place: string;
  changes: number;
  cost: typeof cheap;
  uuids: number;
  start(): Lock;
}

/** A terminal's settings and clock, on which the lock can be made anew. */
function machine(stored: Partial<StoredLock> = {}): Machine {
  const made: Machine = {
    clock: createManualClock(),
    stored: { ...noLock, ...stored },
    isFull: false,
    place: 'ana',
    changes: 0,
    cost: cheap,
    uuids: 0,
    start: () => {
      let memory = made.stored;
      const save = (change: Partial<StoredLock>): Result<void, Failure> => {
        memory = { ...memory, ...change };
        if (made.isFull) {
          return fail({ kind: 'storageFull' });
        }
        // As the settings file would give it back.
        made.stored = storedLockSchema.parse(JSON.parse(JSON.stringify(memory)));
        return succeed(undefined);
      };
      return createLock({
        clock: made.clock,
        random: {
          uuid: () => `00000000-0000-4000-8000-${String((made.uuids += 1)).padStart(12, '0')}`,
          fraction: () => 0,
        },
        stored: () => memory,
        save,
        saveForGood: (change) => (made.isFull ? fail({ kind: 'storageFull' }) : save(change)),
        place: () => made.place,
        onChange: () => {
          made.changes += 1;
        },
        cost: made.cost,
      });
    },
  };
  return made;
}

async function withPin(change: Partial<StoredLock> = {}): Promise<{ readonly on: Machine; readonly lock: Lock }> {
  const on = machine(change);
  const lock = on.start();
  expect(await lock.setPin('2580', undefined)).toEqual(succeed('set'));
  return { on, lock };
}

async function wrong(lock: Lock, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect(await lock.unlock('0000', 'coupons')).toMatchObject({ ok: false, failure: { kind: 'pinWrong' } });
  }
}

/** As the gate judges a call and lets it through. */
function pass(lock: Lock, kind: HeldKind | 'none', slicesOf: string | null = null): 'free' | 'withPin' | 'locked' {
  const facts = lock.facts(slicesOf);
  if (kind !== 'none' && isHeld(facts, kind) && !facts.open.includes(kind)) {
    return 'locked';
  }
  return lock.use(kind, slicesOf) ? 'withPin' : 'free';
}

describe('what passes (L1)', () => {
  test('everything while there is no PIN, also the lock itself', () => {
    const lock = machine().start();
    for (const rule of [...kinds, 'lock', 'none'] as const) {
      expect(pass(lock, rule)).toBe('free');
    }
  });

  test('with a PIN nothing that is locked, until it is opened; what is free, and what was not chosen, always', async () => {
    const { lock } = await withPin({ kinds: ['coupons'] });
    expect(pass(lock, 'none')).toBe('free');
    expect(pass(lock, 'users')).toBe('free');
    expect(pass(lock, 'coupons')).toBe('locked');
    expect(pass(lock, 'lock')).toBe('locked');
    expect(await lock.unlock('2580', 'coupons')).toEqual(succeed(undefined));
    expect(pass(lock, 'lock'), 'what was asked for alone').toBe('locked');
    expect(pass(lock, 'coupons')).toBe('withPin');
    expect(pass(lock, 'coupons'), 'for one action').toBe('locked');
  });

  test('a restart locks', async () => {
    const { on, lock } = await withPin();
    await lock.unlock('2580', 'coupons');
    expect(pass(on.start(), 'coupons')).toBe('locked');
  });
});

describe('an unlocking (L2)', () => {
  test('lasts for the minutes that were chosen, and its end is told', async () => {
    const { on, lock } = await withPin({ opensForMinutes: 2 });
    await lock.unlock('2580', 'coupons');
    expect(lock.state().openUntil).toBe(on.clock.now() + 120_000);
    await on.clock.advance(119_999);
    expect(pass(lock, 'coupons')).toBe('withPin');
    const before = on.changes;
    await on.clock.advance(1);
    expect(pass(lock, 'coupons')).toBe('locked');
    expect(lock.state().openUntil).toBeNull();
    expect(on.changes).toBe(before + 1);
  });

  test('for one action lets one locked call pass, and free ones take nothing of it', async () => {
    const { on, lock } = await withPin({ opensForMinutes: 0 });
    await lock.unlock('2580', 'coupons');
    expect(pass(lock, 'none')).toBe('free');
    expect(pass(lock, 'users'), 'of another kind').toBe('locked');
    expect(pass(lock, 'coupons')).toBe('withPin');
    expect(pass(lock, 'coupons')).toBe('locked');
    await lock.unlock('2580', 'coupons');
    await on.clock.advance(120_000);
    expect(pass(lock, 'coupons')).toBe('locked');
  });

  test('opens the kind that was asked for and no other, each for its own time', async () => {
    const { on, lock } = await withPin({ opensForMinutes: 5 });
    await lock.unlock('2580', 'coupons');
    for (const other of ['users', 'settings', 'discarding', ...alwaysHeld] as const) {
      expect(pass(lock, other), other).toBe('locked');
    }
    await on.clock.advance(60_000);
    await lock.unlock('2580', 'settings');
    expect(lock.state().openKinds).toEqual(['coupons', 'settings']);
    expect([pass(lock, 'coupons'), pass(lock, 'coupons'), pass(lock, 'settings')]).toEqual(Array(3).fill('withPin'));
    await on.clock.advance(240_000);
    expect([pass(lock, 'coupons'), pass(lock, 'settings')]).toEqual(['locked', 'withPin']);
    expect(lock.state().openKinds).toEqual(['settings']);
  });

  test('opens what is always held for one action, whatever was chosen, and the list for two minutes', async () => {
    for (const kind of alwaysHeld) {
      const { on, lock } = await withPin({ opensForMinutes: 60, kinds: [] });
      expect(pass(lock, kind), kind).toBe('locked');
      await lock.unlock('2580', kind);
      expect(pass(lock, kind), kind).toBe('withPin');
      expect(pass(lock, kind), kind).toBe(kind === 'audit' ? 'withPin' : 'locked');
      await on.clock.advance(120_000);
      expect(pass(lock, kind), kind).toBe('locked');
    }
  });

  test('opens nothing where the PIN is only tried', async () => {
    const { lock } = await withPin();
    expect(await lock.unlock('2580', null)).toEqual(succeed(undefined));
    expect(lock.state()).toMatchObject({ openKinds: [], openUntil: null });
  });

  test('for one action lets its slices follow each other, and nothing else, nothing later, nobody else', async () => {
    const { on, lock } = await withPin({ opensForMinutes: 0 });
    const many = 'queue:discardMany';
    await lock.unlock('2580', 'discarding');
    for (let slice = 0; slice < 50; slice += 1) {
      expect(pass(lock, 'discarding', many)).toBe('withPin');
      await on.clock.advance(900);
    }
    expect(pass(lock, 'discarding')).toBe('locked');
    expect(pass(lock, 'coupons', 'queue:retryMany')).toBe('locked');
    expect(pass(lock, 'discarding', many)).toBe('withPin');
    await on.clock.advance(1_001);
    expect(pass(lock, 'discarding', many)).toBe('locked');
    for (const ending of ['by hand', 'another PIN', 'another person']) {
      await lock.unlock('2580', 'discarding');
      expect(pass(lock, 'discarding', many)).toBe('withPin');
      if (ending === 'by hand') {
        lock.lockNow();
      } else if (ending === 'another PIN') {
        await lock.setPin('2580', '2580');
      } else {
        on.place = 'bia';
        lock.notePlace();
        on.place = 'ana';
      }
      expect(pass(lock, 'discarding', many), ending).toBe('locked');
    }
  });

  test('ends by hand, with another PIN or choice, and with another person, also back at once', async () => {
    const { on, lock } = await withPin();
    await lock.unlock('2580', 'coupons');
    lock.lockNow();
    expect(pass(lock, 'coupons')).toBe('locked');
    await lock.unlock('2580', 'coupons');
    expect(await lock.setPin('1357', '2580')).toEqual(succeed('changed'));
    expect(pass(lock, 'coupons')).toBe('locked');
    await lock.unlock('1357', 'coupons');
    on.place = 'bia';
    lock.notePlace();
    on.place = 'ana';
    expect(pass(lock, 'coupons')).toBe('locked');
    await lock.unlock('1357', 'coupons');
    // Fewer minutes, or another kind, count at once.
    lock.choose({ kinds: ['coupons'], opensForMinutes: 0 });
    expect(pass(lock, 'coupons')).toBe('locked');
  });

  test('is not made longer by a wall clock set back, and ends when it is set forward', async () => {
    const { on, lock } = await withPin();
    await lock.unlock('2580', 'coupons');
    on.clock.jumpWall(-86_400_000);
    await on.clock.advance(120_000);
    expect(pass(lock, 'coupons')).toBe('locked');
    await lock.unlock('2580', 'coupons');
    on.clock.jumpWall(120_000);
    expect(pass(lock, 'coupons')).toBe('locked');
  });

  test('is not given to whoever comes while the PIN is compared', async () => {
    const { on, lock } = await withPin();
    const trying = lock.unlock('2580', 'coupons');
    on.place = 'bia';
    expect(await trying).toEqual(succeed(undefined));
    expect(pass(lock, 'coupons')).toBe('locked');
  });
});

describe('wrong PINs (L3, L4, L5)', () => {
  test('wait from the third on: 5 s, doubling, 15 minutes at most, and never for good', async () => {
    expect([0, 1, 2, 3, 4, 5, 10, 11, 100].map(waitAfter)).toEqual([
      0, 0, 0, 5_000, 10_000, 20_000, 640_000, 900_000, 900_000,
    ]);
    const { on, lock } = await withPin();
    await wrong(lock, 3);
    expect(await lock.unlock('2580', 'coupons')).toEqual(fail({ kind: 'pinWaits', retryAfterMs: 5_000 }));
    expect(lock.state().waitUntil).toBe(on.clock.now() + 5_000);
    await on.clock.advance(4_999);
    expect(await lock.unlock('2580', 'coupons')).toEqual(fail({ kind: 'pinWaits', retryAfterMs: 1 }));
    await on.clock.advance(1);
    expect(lock.state().waitUntil).toBeNull();
    expect(await lock.unlock('2580', 'coupons')).toEqual(succeed(undefined));
    expect(on.stored).toMatchObject({ wrong: 0 });
    for (let attempts = 0; attempts < 200; attempts += 1) {
      await on.clock.advance(900_000);
      expect(await lock.unlock('0000', 'coupons')).toMatchObject({ failure: { kind: 'pinWrong' } });
    }
    await on.clock.advance(900_000);
    expect(await lock.unlock('2580', 'coupons')).toEqual(succeed(undefined));
  });

  test('a wrong old PIN counts as well, and a missing one changes nothing', async () => {
    const { on, lock } = await withPin();
    expect(await lock.setPin(null, undefined)).toEqual(fail({ kind: 'locked' }));
    for (let count = 0; count < 3; count += 1) {
      expect(await lock.setPin('1111', '0000')).toMatchObject({ failure: { kind: 'pinWrong' } });
    }
    expect(await lock.setPin('1111', '2580')).toMatchObject({ failure: { kind: 'pinWaits' } });
    await on.clock.advance(5_000);
    expect(await lock.setPin(null, '2580')).toEqual(succeed('removed'));
    expect(pass(lock, 'coupons')).toBe('free');
  });

  test('that are tried all at once are each counted before any is compared', async () => {
    const { lock } = await withPin();
    const answers = await Promise.all(Array.from({ length: 10 }, () => lock.unlock('0000', 'coupons')));
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.failure.kind))).toEqual([
      ...Array<string>(3).fill('pinWrong'),
      ...Array<string>(7).fill('pinWaits'),
    ]);
  });

  test('cannot be had for nothing by ending the app while the PIN is compared', async () => {
    const { on, lock } = await withPin();
    void lock.unlock('0000', 'coupons');
    void lock.unlock('0000', 'coupons');
    void lock.unlock('0000', 'coupons');
    expect(await on.start().unlock('2580', 'coupons')).toMatchObject({ failure: { kind: 'pinWaits' } });
  });

  test('wait on after a restart of the app, and a wall clock that is set makes no difference', async () => {
    const { on, lock } = await withPin();
    await wrong(lock, 3);
    await on.clock.advance(2_000);
    on.clock.jumpWall(86_400_000);
    const next = on.start();
    expect(await next.unlock('2580', 'coupons')).toEqual(fail({ kind: 'pinWaits', retryAfterMs: 3_000 }));
    on.clock.jumpWall(-2 * 86_400_000);
    await on.clock.advance(3_000);
    expect(await next.unlock('2580', 'coupons')).toEqual(succeed(undefined));
  });

  test('after a restart of the machine wait for the whole time again at most, and never begin anew later', async () => {
    const { on, lock } = await withPin();
    for (let count = 0; count < 12; count += 1) {
      await on.clock.advance(900_000);
      await wrong(lock, 1);
    }
    on.clock = createManualClock({ uptimeMs: 20_000 });
    const next = on.start();
    expect(await next.unlock('2580', 'coupons')).toEqual(fail({ kind: 'pinWaits', retryAfterMs: 880_000 }));
    await on.clock.advance(880_000);
    expect(next.state().waitUntil).toBeNull();
    // Long past the uptime at which the last attempt was made before.
    await on.clock.advance(24 * 3_600_000);
    expect(next.state().waitUntil).toBeNull();
    expect(await next.unlock('2580', 'coupons')).toEqual(succeed(undefined));
  });

  test('are slowed also when the disk takes nothing, and the right one still opens', async () => {
    const { on, lock } = await withPin();
    on.isFull = true;
    await wrong(lock, 3);
    expect(await lock.unlock('2580', 'coupons')).toMatchObject({ failure: { kind: 'pinWaits' } });
    await on.clock.advance(5_000);
    expect(await lock.unlock('2580', 'coupons')).toEqual(succeed(undefined));
    expect(pass(lock, 'coupons')).toBe('withPin');
  });
});

describe('the stored text', () => {
  test('that cannot be read stays locked, and the way out opens it (L6)', async () => {
    for (const pinHash of ['', 'no text', '$scrypt$ln=99,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$x']) {
      const lock = machine({ pinHash }).start();
      expect(pass(lock, 'settings')).toBe('locked');
      expect(await lock.unlock('2580', 'coupons')).toMatchObject({ failure: { kind: 'pinWrong' } });
      expect(lock.forgetPin()).toBe(true);
      expect(pass(lock, 'settings')).toBe('free');
      expect(lock.forgetPin()).toBe(false);
    }
  });

  test('is renewed with the next right PIN when the cost has been raised', async () => {
    const { on, lock } = await withPin();
    const before = on.stored.pinHash;
    await lock.unlock('2580', 'coupons');
    expect(on.stored.pinHash).toBe(before);
    on.cost = { ...cheap, logN: 3 };
    const next = on.start();
    expect(await next.unlock('2580', 'coupons')).toEqual(succeed(undefined));
    expect(on.stored.pinHash).toContain('$ln=3,');
    expect(await next.unlock('2580', 'coupons')).toEqual(succeed(undefined));
  });

  test('a PIN that could not be kept is not set, and one that could not be removed stays', async () => {
    const on = machine();
    on.isFull = true;
    const lock = on.start();
    expect(await lock.setPin('2580', undefined)).toEqual(fail({ kind: 'storageFull' }));
    expect(pass(lock, 'coupons')).toBe('free');
    on.isFull = false;
    await lock.setPin('2580', undefined);
    on.isFull = true;
    expect(await lock.setPin(null, '2580')).toEqual(fail({ kind: 'storageFull' }));
    expect(pass(lock, 'coupons')).toBe('locked');
  });

  test('is set at the place where it was asked for: where another has opened meanwhile it is refused', async () => {
    const on = machine();
    const lock = on.start();
    const setting = lock.setPin('2580', undefined);
    on.place = 'ana, elsewhere';
    expect(await setting).toEqual(fail({ kind: 'locked' }));
    expect(on.stored.pinHash).toBeNull();
  });

  test('of two who set the first PIN at once, one stands, and that one is told', async () => {
    const lock = machine().start();
    const [one, two] = await Promise.all([lock.setPin('1111', undefined), lock.setPin('2222', undefined)]);
    // Both are hashed at once, by threads of which either may be the first.
    expect(one.ok).not.toBe(two.ok);
    expect(await lock.unlock(one.ok ? '1111' : '2222', null)).toEqual(succeed(undefined));
  });

  test('may be provisioned as a PIN or as a text that another terminal has hashed', async () => {
    const { on } = await withPin();
    const lock = machine().start();
    expect(
      await lock.provision({ pinHash: on.stored.pinHash ?? '', kinds: ['users', 'users'], opensForMinutes: 0 }),
    ).toEqual(succeed(true));
    expect(lock.state()).toMatchObject({ hasPin: true, kinds: ['users'], opensForMinutes: 0 });
    expect(await lock.unlock('2580', 'coupons')).toEqual(succeed(undefined));
    await lock.provision({ pin: '9753' });
    expect(lock.state(), 'all of it unless told').toMatchObject({ kinds, opensForMinutes: 0 });
    expect(await lock.unlock('2580', 'coupons')).toMatchObject({ ok: false });
    expect(await lock.unlock('9753', 'coupons')).toEqual(succeed(undefined));
  });
});

test('L3: the same provisioning again takes no attempt back, nor does another choice with the same PIN', async () => {
  const { on, lock } = await withPin();
  await wrong(lock, 3);
  expect(await lock.provision({ pin: '2580' })).toEqual(succeed(false));
  expect(await lock.provision({ pinHash: on.stored.pinHash ?? '', kinds: [...kinds], opensForMinutes: 0 })).toEqual(
    succeed(false),
  );
  expect(await lock.provision({ pin: '2580', opensForMinutes: 9 })).toEqual(succeed(true));
  expect(lock.state().opensForMinutes).toBe(9);
  expect(await lock.unlock('2580', 'coupons')).toMatchObject({ failure: { kind: 'pinWaits' } });
  expect(await lock.provision({ pin: '1357' })).toEqual(succeed(true));
  expect(await lock.unlock('1357', 'coupons')).toEqual(succeed(undefined));
});

describe('the settings document', () => {
  test('from before there was a lock has none', () => {
    expect(storedLockSchema.parse(undefined)).toEqual(noLock);
  });

  test('with a part that makes no sense locks rather than opens, and keeps the rest', () => {
    const good = { kinds: ['users'], opensForMinutes: 5, pinHash: 'text', wrong: 2, wrongAtMs: 7 };
    expect(storedLockSchema.parse(good)).toEqual(good);
    expect(storedLockSchema.parse({ ...good, kinds: ['users', 'laterKind', 'users', 3] })).toEqual(good);
    expect(storedLockSchema.parse({ ...good, kinds: 'all' }).kinds).toEqual(kinds);
    expect(storedLockSchema.parse({ ...good, pinHash: 7 }).pinHash).toBe('');
    expect(storedLockSchema.parse({ ...good, wrong: -1 }).wrong).toBe(100);
    for (const damaged of [null, 5, 'lock', []]) {
      expect(storedLockSchema.parse(damaged)).toMatchObject({ pinHash: '', kinds });
    }
  });
});

test('what is locked while a PIN is compared stays locked, and no other kind with it', async () => {
  const { lock } = await withPin({ kinds: [...kinds], opensForMinutes: 5 });
  const openedAfter = async (kind: HeldKind | undefined): Promise<readonly HeldKind[]> => {
    const tried = lock.unlock('2580', 'coupons');
    lock.lockNow(kind);
    expect(await tried).toEqual(succeed(undefined));
    return lock.state().openKinds;
  };
  expect(await openedAfter('coupons')).toEqual([]);
  expect(await openedAfter(undefined)).toEqual([]);
  expect(await openedAfter('settings')).toEqual(['coupons']);
});

test('the slices of one action go on while another kind is locked', async () => {
  const { lock } = await withPin({ kinds: [...kinds] });
  await lock.unlock('2580', 'discarding');
  expect(pass(lock, 'discarding', 'many')).toBe('withPin');
  lock.lockNow('coupons');
  expect(pass(lock, 'discarding', 'many')).toBe('withPin');
  lock.lockNow('discarding');
  expect(pass(lock, 'discarding', 'many')).toBe('locked');
});
