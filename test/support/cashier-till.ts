// A till of two cashiers for tests: real HTTP, real files, and a keychain unless it is asked to do without.
import { expect } from 'vitest';
import type { Clock } from '../../app/ports.ts';
import type { Terminal } from '../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../app/training/server.ts';
import { connect, openMachine, openPlatformForTest } from './machine.ts';

export const anasPin = '2580';
export const beasPin = '134679';

type User = Pick<TrainingPlatform, 'email' | 'password'>;

export const signIn = ({ handlers }: Terminal, { email, password }: User) =>
  handlers['session:signIn']({ email, password });

/** A till that is connected, at which nobody has signed in yet; to the platform itself, or at what stands before it. */
export async function openTill(
  hasKeychain = true,
  clock?: Clock,
  addressOf: (platform: TrainingPlatform) => Promise<string> = ({ platformUrl }) => Promise.resolve(platformUrl),
) {
  const platform = await openPlatformForTest();
  const machine = openMachine(null, hasKeychain, clock);
  const terminal = await machine.start();
  await connect(terminal, platform, { platformUrl: await addressOf(platform) });
  const [ana, bea] = [platform, platform.otherUser];
  return { platform, machine, terminal, ana, bea, handlers: terminal.handlers };
}

/** One at which both have a PIN, and which is locked. */
export async function openTillWithPins(clock?: Clock, addressOf?: Parameters<typeof openTill>[2]) {
  const till = await openTill(true, clock, addressOf);
  const { terminal, handlers, ana, bea } = till;
  for (const [user, pin] of [
    [ana, anasPin],
    [bea, beasPin],
  ] as const) {
    expect(await signIn(terminal, user)).toMatchObject({ ok: true, value: { passed: true } });
    expect(await handlers['cashier:setPin']({ pin })).toEqual({ ok: true, value: {} });
    await handlers['cashier:lock']({});
  }
  return till;
}

/** A till at which both have a PIN, and Bea is at work. */
export async function openTillAtWork() {
  const till = await openTillWithPins();
  const { handlers, bea } = till;
  expect(await handlers['cashier:comeBack']({ email: bea.email, pin: beasPin })).toEqual({ ok: true, value: {} });
  return till;
}
