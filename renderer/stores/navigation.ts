// Owns which screen is shown, as the address's fragment, so that links, the back button and a reload all work, and which
// connection a person has just left to change it. Never knows what is on a screen.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { KeptProfile } from '../../app/contract/profiles.ts';

export const screens = ['lookup', 'stock', 'coupons', 'queue', 'users', 'settings'] as const;
export type MainScreen = (typeof screens)[number];
/** The allowance is reached from the settings alone. */
export type Screen = MainScreen | 'allowance';

/** The sections of the settings, in their order. */
export const sections = ['general', 'scanner', 'connection', 'copy', 'queue', 'lock', 'support'] as const;
export type Section = (typeof sections)[number];

export interface Navigation {
  readonly screen: Screen;
  /** The section of the settings that is shown, or was last. */
  readonly section: Section;
  readonly go: (screen: Screen) => void;
  /** Takes the address's fragment, such as "#queue" or "#settings/scanner"; anything else is the lookup. */
  readonly take: (fragment: string) => void;
  /** The connection that was left to be changed, so that nobody types all of it again; it holds no secret. */
  readonly left: KeptProfile | null;
  readonly rememberLeft: (profile: KeptProfile | null) => void;
}

/** Reads a fragment; anything unknown is the lookup, which is home. */
export function screenOf(fragment: string): Screen {
  const [name] = fragment.split('/');
  return ([...screens, 'allowance'] as const).find((screen) => `#${screen}` === name) ?? 'lookup';
}

/** The section that a fragment names, or `otherwise`. */
function sectionOf(fragment: string, otherwise: Section = 'general'): Section {
  return sections.find((section) => `#settings/${section}` === fragment) ?? otherwise;
}

/** Opens at the screen of the fragment; `show` writes a fragment into the address. */
export function createNavigationStore(fragment: string, show: (fragment: string) => void): StoreApi<Navigation> {
  return createStore<Navigation>((set) => ({
    screen: screenOf(fragment),
    section: sectionOf(fragment),
    go(screen) {
      set({ screen });
      show(`#${screen}`);
    },
    take(next) {
      set(({ section }) => ({ screen: screenOf(next), section: sectionOf(next, section) }));
    },
    left: null,
    rememberLeft(left) {
      set({ left });
    },
  }));
}
