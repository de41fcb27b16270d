// Somebody who makes every call of the contract: beside the cashiers, or alone at a screen that they stay at for a
// while.
import { invokes, type Channel, type InvokeInput } from '../../../app/contract/contract.ts';
import { defaultStation } from '../../../app/contract/station.ts';
import type { CashierWorld, Shop } from '../cashier-world.ts';
import { createRounds } from '../rounds.ts';
import { pinAt, type CallMemory } from './call-memory.ts';
import type { CallWorld } from './call-row.ts';
import { rowOf } from './call-table.ts';
import { createCallTurns } from './call-turns.ts';

export interface Presser {
  /** From now on calls are made. */
  begin(): void;
  /** No more calls. */
  end(): void;
  /** Whether they have the till for themselves; the cashiers wait meanwhile. */
  holdsTill(): boolean;
}

interface PresserWorld extends Omit<CashierWorld, 'badges' | 'clientIds' | 'queueLimits' | 'watch'> {
  readonly memory: CallMemory;
  /** Also the practice store's. */
  readonly allShops: readonly [Shop, ...Shop[]];
  readonly wallMs: () => number;
  /** Nobody has set the till up. */
  readonly isNew: boolean;
}

const stays = {
  beside: { weight: 4, calls: [20, 60], gapMs: 3000 },
  practice: { weight: 1.2, calls: [25, 60], gapMs: 700 },
  waysIn: { weight: 1, calls: [25, 60], gapMs: 500 },
  signedOut: { weight: 1, calls: [25, 60], gapMs: 700 },
  locked: { weight: 1.2, calls: [25, 60], gapMs: 500 },
  station: { weight: 1.2, calls: [25, 60], gapMs: 500 },
} as const;
type Stay = keyof typeof stays;

/** Makes somebody who has not begun. */
export function createPresser({ random, memory, allShops, wallMs, isNew, ...cashierWorld }: PresserWorld): Presser {
  const { world, trace, till, machine, evidence, users, clientSecret } = cashierWorld;
  const rounds = createRounds(world);
  const turns = createCallTurns(random.fork('turns'));
  let stay: Stay = 'beside';
  let left = 0;
  let moves: (() => Promise<unknown>)[] = [];

  /** Draws one call; null where there is nothing that could be asked for now. */
  function drawCall(channel: Channel, given?: InvokeInput<Channel>): (() => Promise<void>) | null {
    const state = till.state();
    if (state === null) {
      return null;
    }
    let stateThen = state;
    const callWorld: CallWorld = {
      random,
      nowMs: () => world.nowMs(),
      wallMs,
      life: () => till.life(),
      evidence,
      memory,
      state,
      shops: allShops,
      users,
      clientSecret,
    };
    const row = rowOf(channel);
    const input = given ?? row.draw(callWorld);
    if (input === null) {
      return null;
    }
    const fitting = invokes[channel].input.safeParse(input);
    if (!fitting.success) {
      throw new Error(`${channel} is drawn as the contract forbids: ${JSON.stringify(input)} ${fitting.error.message}`);
    }
    return async () => {
      const reported = row.note?.(callWorld, input);
      const answer = await till.call(channel, input, (read) => {
        stateThen = read;
      });
      const became = answer?.ok === false ? answer.failure.kind : 'done';
      trace.add(`press ${channel}: ${answer === null ? 'nobody answers' : became}`);
      reported?.(answer, stateThen);
    };
  }

  async function press(channel: Channel, given?: InvokeInput<Channel>): Promise<void> {
    await drawCall(channel, given)?.();
  }

  /** Somebody who does not know a PIN, or has a badge that is void, and goes on trying. */
  function guesses(): (() => Promise<unknown>)[] {
    const { email } = random.pick(users);
    const wrong = random.pick<() => Promise<unknown>>([
      () => press('cashier:comeBack', { email, pin: '0000' }),
      () => press('cashier:scanBadge', { code: 'TILL9999999999999999' }),
      () => press('cashier:makeBadge', { pin: '0000' }),
      () => press('cashier:setPin', { pin: '2468', oldPin: '0000' }),
      () => press('lock:unlock', { pin: '0000', opens: 'coupons' }),
      () => press('lock:setPin', { pin: '4829', oldPin: '0000' }),
      () => press('station:leave', { pin: '0000' }),
    ]);
    return random.chance(0.3) ? Array.from({ length: 5 }, () => wrong) : [];
  }

  /** The calls that lead to the screen where somebody stays. */
  const ways: Readonly<Record<Stay, () => (() => Promise<unknown>)[]>> = {
    beside: () => [],
    practice: () => [() => press('practice:start', {})],
    waysIn: () => [() => press('session:signOut', {}), () => press('profile:leave', {})],
    signedOut: () => [() => press('session:signOut', {})],
    locked: () => {
      const pin = '2468';
      return [
        () => press('cashier:setPin', { pin, ...(random.chance(0.5) ? { oldPin: pin } : {}) }),
        () => press('cashier:makeBadge', { pin }),
        () => press('cashier:lock', {}),
      ];
    },
    station: () => [
      () => press('lock:setPin', { pin: pinAt(memory, till.state()?.mode), oldPin: pinAt(memory, till.state()?.mode) }),
      () => press('lock:unlock', { pin: pinAt(memory, till.state()?.mode), opens: 'settings' }),
      () => press('settings:update', { station: { ...defaultStation, isOn: true, clearAfterSeconds: 5 } }),
    ],
  };

  /** And away from it; from the other screens the cashiers find their way by themselves. */
  const waysOut: Readonly<Partial<Record<Stay, () => (() => Promise<unknown>)[]>>> = {
    locked: () => [
      () =>
        press('cashier:comeBack', { email: till.state()?.cashiers.lockedEmail ?? users[0]?.email ?? '', pin: '2468' }),
    ],
    station: () => [() => press('station:leave', { pin: pinAt(memory, till.state()?.mode) })],
    waysIn: () => (isNew && random.chance(0.7) ? [() => press('provisioning:open')] : []),
    practice: () => (random.chance(0.5) ? [() => press('session:signOut', {})] : []),
  };

  function next(): void {
    moves = waysOut[stay]?.() ?? [];
    stay = random.pickWeighted(
      Object.fromEntries(Object.entries(stays).map(([name, { weight }]) => [name, weight])) as Record<Stay, number>,
    );
    const [fewest, most] = stays[stay].calls;
    left = random.integer(fewest, most);
    trace.add(`somebody stays: ${stay}`);
    moves.push(...ways[stay](), ...guesses());
  }

  function weightOf(channel: Channel): number {
    const { weight, moves: isMove, failures = [] } = rowOf(channel);
    // A keychain that does not serve soon does again, and few calls need it.
    const isItsTime = !machine.isVaultOpen() && failures.includes('vaultUnavailable');
    return (isMove === undefined || stay === 'beside' ? weight : weight / 6) * (isItsTime ? 20 : 1);
  }

  /** Makes the first call that can be asked for now. */
  function pressNext(): void {
    for (const channel of turns.next(weightOf)) {
      const make = drawCall(channel);
      if (make !== null) {
        turns.end(channel);
        void make();
        return;
      }
    }
  }

  let isMoving = false;
  function act(): void {
    if (!till.isOpen() || world.nowMs() < machine.awakeAtMs() || isMoving) {
      return;
    }
    const move = moves.shift();
    if (move !== undefined) {
      isMoving = true;
      void move().finally(() => {
        isMoving = false;
      });
      return;
    }
    left -= 1;
    if (left < 0) {
      next();
      return;
    }
    pressNext();
  }

  return {
    begin: () => {
      if (isNew) {
        stay = 'waysIn';
        left = random.integer(...stays.waysIn.calls);
        moves = [() => press('provisioning:open', { text: 'no file' })];
      }
      rounds.begin(() => random.waitMs(stays[stay].gapMs), act);
    },
    end: () => {
      rounds.end();
      stay = 'beside';
    },
    holdsTill: () => stay !== 'beside',
  };
}
