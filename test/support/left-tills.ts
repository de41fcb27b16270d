import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import {
  createWholeClock,
  openTerminalOnFiles,
  openTrainingHall,
  signInForTraining,
  whileTimePasses,
} from '../endurance/terminal-on-files.ts';
import { createSeededRandom } from './seeded-random.ts';
import { valueOf } from './value-of.ts';

/**
 * Leaves two tills in which so many switches wait, over thirty products: `closed` after a proper end, and `cut`, the
 * same as a power cut leaves it, with everything still in the logs.
 */
export async function leaveTills(parent: string, switches: number) {
  const [closed, cut] = [join(parent, 'closed'), join(parent, 'cut')];
  mkdirSync(closed);
  const clock = createWholeClock(1_000_000);
  const hall = await openTrainingHall(clock, 30);
  let isOnline = true;
  const till = await openTerminalOnFiles({
    directory: closed,
    clock,
    random: createSeededRandom('left'),
    http: { send: async (request) => (isOnline ? succeed(await hall.answer(request)) : fail({ kind: 'unreachable' })) },
  });
  await signInForTraining(till, clock);
  await clock.advance(120_000);
  isOnline = false;
  for (let number = 0; number < switches; number += 1) {
    const productId = hall.products[number % hall.products.length] as Id;
    valueOf(await till.handlers['coupon:switch']({ productId, isEnabled: number % 2 === 0 }));
  }
  await clock.advance(5_000);
  const { copied } = valueOf(await till.handlers['terminal:read']({})).catalogue;
  cpSync(closed, cut, { recursive: true });
  await whileTimePasses(clock, till.close());
  return { closed, cut, copied, product: hall.products[0] as Id };
}
