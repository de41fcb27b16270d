//     made ──used by one person──→ holds what is theirs ──another person, or another store──→ as it was made
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Creates a store's state. `visit` notes who is here; the function that it returns says whether they still are. */
type Begin<State> = (
  set: StoreApi<State>['setState'],
  get: StoreApi<State>['getState'],
  visit: () => () => boolean,
) => State;

interface Ending<State> {
  /** Ends what is under way, such as questions, readings and timers; the state itself is set back for every store. */
  readonly end?: (state: State) => void;
  /** Is no person's, such as how far a work is that goes on; it stays. */
  readonly keeps?: readonly (keyof State)[];
  /** Nobody's entries stay for whoever comes next. */
  readonly passesOn?: boolean;
}

/** Makes a store; `ending` says what else there is to do when another person comes. */
export type MakeStore = <State>(ending: Ending<State>, begin: Begin<State>) => StoreApi<State>;

/** Makes a store of the terminal's, or of a part of the page that takes it along when it goes: it outlives who is here. */
export const makeLastingStore: MakeStore = (_ending, begin) =>
  createStore((set, get) => begin(set, get, () => () => true));

export interface PersonStores {
  /** Makes a store of what one person typed, chose or was shown. */
  readonly make: MakeStore;
  /** Who is here, and where. */
  readonly whose: () => string;
  /** They are here now: all stores are as they were made, but what `isNobodys` was and is passed on. */
  readonly take: (whose: string, isNobodys: boolean) => void;
}

function setBack<State>(store: StoreApi<State>, { end, keeps = [] }: Ending<State>): void {
  end?.(store.getState());
  const state = store.getState();
  const kept = Object.fromEntries(keeps.map((name) => [name, state[name]])) as Partial<State>;
  store.setState({ ...store.getInitialState(), ...kept }, true);
}

/** Nobody is here yet. */
export function createPersonStores(): PersonStores {
  let whose = '';
  const drops: ((isNobodys: boolean) => void)[] = [];
  return {
    make: (ending, begin) => {
      let visits = 0;
      const visit = (): (() => boolean) => {
        const mine = visits;
        return () => mine === visits;
      };
      const store = createStore<ReturnType<typeof begin>>((set, get) => begin(set, get, visit));
      drops.push((isNobodys) => {
        if (!isNobodys || ending.passesOn !== true) {
          visits += 1;
          setBack(store, ending);
        }
      });
      return store;
    },
    whose: () => whose,
    take: (next, isNobodys) => {
      if (next !== whose) {
        whose = next;
        drops.forEach((drop) => drop(isNobodys));
      }
    },
  };
}
