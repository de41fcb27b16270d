import type { HubLink } from '../../../app/hub/link.ts';
import { createHubMember } from '../../../app/hub/member.ts';
import { createSharedTexts } from '../../../app/hub/shared-texts.ts';
import type { SharedTexts } from '../../../app/ports.ts';
import { openRateLimit, type RateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { clockOf, startTerminal, type SharingTerminal, type TerminalWorld } from '../account/sharing-terminal.ts';
import { documentedRules } from '../../../app/rate-limit/rules.ts';
import { createMemoryLog } from '../memory-log.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../virtual-clock.ts';
import { createRegister, linkTo, type Register } from './register.ts';

interface JoinedTerminal {
  readonly rateLimit: RateLimit;
  readonly texts: SharedTexts;
}

/** A hub for terminals of one world; `callMs` is the mean of each way between a terminal and the hub. */
export function createSharingHub(
  world: World,
  callMs: number,
): (setting: { readonly number: number; readonly random: SeededRandom }) => JoinedTerminal {
  const registers = new Map<string, Register>();
  const registerOf = (name: string): Register => {
    const register = registers.get(name) ?? createRegister(world);
    registers.set(name, register);
    return register;
  };
  return ({ number, random }) => {
    const clock = clockOf(world);
    const lines = { isThereCut: false, isBackCut: false, meanMs: callMs };
    const ways = random.fork('hub');
    const linkOf = (name: string): HubLink => linkTo(registerOf(name), lines, world, clock, ways);
    const link: HubLink = {
      read: (name, ...rest) => linkOf(name).read(name, ...rest),
      write: (name, ...rest) => linkOf(name).write(name, ...rest),
      onBell: () => undefined,
      close: () => Promise.resolve(),
    };
    const key = new Uint8Array(32);
    const member = createHubMember({
      clock,
      random,
      link,
      account: 'https://platform.example.com',
      key,
      windowMs: () => documentedRules.windowMs,
      self: { id: String(number), name: `Till ${number}`, appVersion: '1.0.0' },
      repository: { place: 'hub', read: () => null, write: () => undefined },
      onChange: () => undefined,
      onTwin: () => undefined,
    });
    const rateLimit = openRateLimit(clock, createMemoryLog(), undefined, member.turns);
    member.start(rateLimit);
    const texts = createSharedTexts({ clock, random, link, key, id: String(number), time: () => member.time() });
    return { rateLimit, texts };
  };
}

/** Starts terminals that share one hub. */
export function startersWithHub(callMs: number): (setting: TerminalWorld) => SharingTerminal {
  let join: ReturnType<typeof createSharingHub> | null = null;
  return (setting) => {
    join ??= createSharingHub(setting.world, callMs);
    const { rateLimit } = join(setting);
    return startTerminal(setting, () => rateLimit);
  };
}
