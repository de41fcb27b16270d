import type { HubLink } from '../../../app/hub/link.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { createWorld, type World } from '../virtual-clock.ts';
import { createHubTerminal, type HubTerminal } from './hub-terminal.ts';
import { createRegister, linkTo, type Register } from './register.ts';

export const minuteMs = 60_000;

export interface Shop {
  readonly world: World;
  readonly register: Register;
  readonly terminals: readonly HubTerminal[];
  /** Requests that reached the platform, by terminal. */
  readonly arrivals: readonly number[][];
  /** The status that the platform answers with. */
  status: number;
  /** One terminal asks for so many slots, each a moment after the other. */
  ask(at: number, lane: 'person' | 'queue' | 'catalogue', count: number): number[];
  /** One terminal joins another hub, that of all who have moved. */
  move(at: number): Promise<void>;
}

/** Terminals whose requests all arrive at once and are answered at once; `windowMsOf` is the window set at each. */
export function openShop(
  count: number,
  linkOf?: (link: HubLink, at: number) => HubLink,
  windowMsOf: (at: number) => number = () => minuteMs,
  idOf: (at: number) => string = (at) => `till ${at}`,
  accountOf: (at: number) => string | null = () => null,
): Shop {
  const world = createWorld();
  const register = createRegister(world);
  const another = createRegister(world);
  const moved = new Set<number>();
  const arrivals: number[][] = [];
  const terminals = Array.from({ length: count }, (_, at) => {
    const own: number[] = [];
    arrivals.push(own);
    const platform = {
      send: (answered: (status: number | null) => void): void => {
        own.push(world.nowMs());
        world.after(1, () => {
          answered(shop.status);
        });
      },
    };
    const random = createSeededRandom(`shop ${at}`);
    return createHubTerminal(
      world,
      register,
      platform,
      idOf(at),
      random,
      (clock, lines) => {
        const link = linkTo(moved.has(at) ? another : register, lines, world, clock, random);
        return linkOf?.(link, at) ?? link;
      },
      () => windowMsOf(at),
      () => accountOf(at),
    );
  });
  const shop: Shop = {
    world,
    register,
    terminals,
    arrivals,
    status: 200,
    ask: (at, lane, times) => {
      const waits: number[] = [];
      for (let time = 0; time < times; time += 1) {
        world.after(time * 10, () => {
          terminals[at]?.ask(lane, (waitedMs) => waits.push(waitedMs));
        });
      }
      return waits;
    },
    move: async (at) => {
      await terminals[at]?.close('moving');
      moved.add(at);
      terminals[at]?.start(false, 'another hub');
    },
  };
  return shop;
}

export function later({ world }: Shop, ms: number): Promise<void> {
  return world.runUntil(world.nowMs() + ms);
}

export function cut(terminal: HubTerminal | undefined, isCut: boolean): void {
  Object.assign(terminal?.lines ?? {}, { isThereCut: isCut, isBackCut: isCut });
}

/** The most requests that a window of the platform saw. */
export function mostInAWindow({ arrivals }: Pick<Shop, 'arrivals'>, windowMs = minuteMs): number {
  const all = arrivals.flat();
  return Math.max(...all.map((fromMs) => all.filter((ms) => ms >= fromMs && ms < fromMs + windowMs).length));
}

/** Counts what all tills of a shop write, and what of it was lost to another. */
export function countWrites() {
  const written = { all: 0, lost: 0 };
  const linkOf = (link: HubLink): HubLink => ({
    ...link,
    write: async (...input) => {
      const answer = await link.write(...input);
      written.all += 1;
      written.lost += answer.ok && !answer.value ? 1 : 0;
      return answer;
    },
  });
  return { written, linkOf };
}
