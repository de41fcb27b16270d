import type { World } from './virtual-clock.ts';

/** Something that is done again and again. */
export interface Rounds {
  /** From now on it is this, after each wait anew; what was begun before is over. */
  begin(waitMs: () => number, act: () => void): void;
  end(): void;
  /** Which beginning or end was the last one. */
  turn(): number;
}

/** Makes rounds in the time of a world; none is begun. */
export function createRounds(world: World): Rounds {
  let turn = 0;
  return {
    begin: (waitMs, act) => {
      turn += 1;
      const mine = turn;
      const next = (): void => {
        world.after(waitMs(), () => {
          if (mine === turn) {
            act();
            next();
          }
        });
      };
      next();
    },
    end: () => {
      turn += 1;
    },
    turn: () => turn,
  };
}
