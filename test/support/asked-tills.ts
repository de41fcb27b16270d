// Terminals that programs of the machine ask, for as long as the running test.
import { onTestFinished } from 'vitest';
import type { Handlers } from '../../app/contract/bridge.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import { openPrograms, type Programs } from '../../app/hosts/programs/server.ts';
import type { Clock } from '../../app/ports.ts';
import { copied, openConnected, stateOf } from './machine.ts';
import { openPracticeTerminal } from './practice-terminal.ts';

/** The practice store, wholly copied; `spent` is what was asked of the platform so far. */
export async function openCopiedPractice() {
  const practice = await openPracticeTerminal();
  onTestFinished(practice.close);
  const { terminal, platform } = practice;
  await copied(terminal);
  const product = { code: String(platform.products.idAt(0)), name: platform.products.at(0).name };
  const spent = async () => ({ arrivals: platform.arrivals().length, used: (await stateOf(terminal)).rateLimit.used });
  return { ...practice, product, spent };
}

/** A till at a platform of its own, signed in, with a whole copy, where looking up needs the sign-in. */
export async function openStrictTill() {
  const { platform, terminal, handlers } = await openConnected();
  await handlers['session:signIn']({ email: platform.email, password: platform.password });
  await copied(terminal);
  await handlers['settings:update']({ lookupNeedsSignIn: true });
  return { platform, terminal, code: String(platform.products.idAt(0)) };
}

/** Answers programs that find this data directory. */
export async function answerPrograms(
  handlers: Handlers,
  dataDirectory: string,
  clock: Clock = createNodeClock(),
): Promise<Programs> {
  const programs = await openPrograms({ dataDirectory, handlers, log: () => undefined, clock });
  onTestFinished(programs.close);
  return programs;
}
