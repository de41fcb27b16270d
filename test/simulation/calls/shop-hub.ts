import type { HubLink } from '../../../app/hub/link.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { clockOf } from '../account/sharing-terminal.ts';
import { createRegister, linkTo, type Lines, type Register } from '../hub/register.ts';
import { secretMark } from '../referee-tokens.ts';
import type { World } from '../virtual-clock.ts';

/** The hub of a shop with one till; tills that share one have a world of their own (hub/). */
export interface ShopHub {
  /** A new connection; some are cut. */
  readonly open: () => HubLink;
  readonly heal: () => void;
}

export const hubAddress = `tillside-hub://till:${secretMark}hub@127.0.0.1:5432/tillside#${'A'.repeat(43)}`;

/** Makes a hub that nobody has joined. */
export function createShopHub(world: World, random: SeededRandom): ShopHub {
  const registers = new Map<string, Register>();
  const all: Lines[] = [];
  let isHealed = false;
  return {
    open: () => {
      const lines: Lines = { isThereCut: !isHealed && random.chance(0.2), isBackCut: false, meanMs: 3 };
      all.push(lines);
      const linkOf = (account: string): HubLink => {
        const register = registers.get(account) ?? createRegister(world);
        registers.set(account, register);
        return linkTo(register, lines, world, clockOf(world), random);
      };
      return {
        read: (account, ...rest) => linkOf(account).read(account, ...rest),
        write: (account, ...rest) => linkOf(account).write(account, ...rest),
        onBell: () => undefined,
        close: () => Promise.resolve(),
      };
    },
    heal: () => {
      isHealed = true;
      for (const lines of all) {
        lines.isThereCut = false;
      }
    },
  };
}
