import { createHubMember } from '../../../app/hub/member.ts';
import type { Clock } from '../../../app/ports.ts';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { startTerminal, type SharingTerminal, type TerminalWorld } from '../account/sharing-terminal.ts';
import { createMemoryLog } from '../memory-log.ts';
import { createRegister, linkTo, type Register } from './register.ts';

/** Starts terminals that share one hub; `callMs` is the mean of each way between a terminal and the hub. */
export function startersWithHub(callMs: number): (setting: TerminalWorld) => SharingTerminal {
  let register: Register | null = null;
  return (setting) => {
    const { world, random, number } = setting;
    register ??= createRegister(world);
    const hub = register;
    return startTerminal(setting, (clock: Clock) => {
      const lines = { isThereCut: false, isBackCut: false, meanMs: callMs };
      const member = createHubMember({
        clock,
        random,
        link: linkTo(hub, lines, world, clock, random.fork('hub')),
        account: 'https://platform.example.com',
        key: new Uint8Array(32),
        self: { id: String(number), name: `Till ${number}`, appVersion: '1.0.0' },
        store: { read: () => null, write: () => undefined },
        onChange: () => undefined,
      });
      const rateLimit = openRateLimit(clock, createMemoryLog(), undefined, member.turns);
      member.start(rateLimit);
      return rateLimit;
    });
  };
}
