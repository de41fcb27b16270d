import type { StoreApi } from 'zustand/vanilla';
import type { KeptProfile } from '../../app/contract/profiles.ts';
import { makeLastingStore } from './make-store.ts';

export const screens = ['lookup', 'stock', 'stocktakes', 'coupons', 'queue', 'settings'] as const;
export type MainScreen = (typeof screens)[number];
/** Rare tasks, which are reached from the settings. */
export const rareScreens = ['users', 'rateLimit'] as const;
export type Screen = MainScreen | (typeof rareScreens)[number];

/** Those that read this terminal's copy alone, and are open while nobody is signed in. */
export const openScreens = ['lookup', 'stock'] as const satisfies readonly MainScreen[];

/** Those that a manager can take out of a cashier's sight, in their order. */
export const hideableScreens = ['stock', 'stocktakes'] as const satisfies readonly MainScreen[];

/** The sections of the settings, in their order. */
export const sections = [
  'general',
  'till',
  'scanner',
  'connection',
  'shop',
  'copy',
  'fields',
  'lock',
  'support',
] as const;
export type Section = (typeof sections)[number];

/** Those that stand before a cashier where a manager has locked the settings; the others are a press away. */
export const cashierSections: readonly Section[] = ['general', 'support'];

/** The pages of docs/ in each language. */
export const helpPages = ['cashier', 'manager', 'technician', 'questions'] as const;
export type HelpPage = (typeof helpPages)[number];

/** A part of the help, and a place on its page. */
export interface HelpPlace {
  readonly part: HelpPage | 'keys';
  /** The identifier of a heading. */
  readonly section?: string;
  /** The sentence on the screen, in the language of the page: it selects the row that answers it. */
  readonly sentence?: string;
}

export interface Navigation {
  readonly screen: Screen;
  /** The section of the settings that is shown, or was last. */
  readonly section: Section;
  readonly go: (screen: Screen) => void;
  /** The settings begin at their first section again. */
  readonly forgetSection: () => void;
  /** Takes the address's fragment, such as "#queue" or "#settings/scanner"; anything else is the lookup. */
  readonly take: (fragment: string) => void;
  /** Somebody looks up while the sign-in or the connect form is open: the lookup stands in its place. */
  readonly isLookingUp: boolean;
  readonly lookUp: (isLookingUp: boolean) => void;
  /**
   * The connect form that is open: for the profile that is changed, or null in it for one that is set up anew. It holds
   * no secret. `refused`: the field that a sign-in has shown to be wrong.
   */
  readonly connecting: { readonly profile: KeptProfile | null; readonly refused?: string | null } | null;
  /** Opens the connect form, or closes it. */
  readonly connect: (connecting: Navigation['connecting']) => void;
  /** The sign-in's dialog is open, over the screen at which the sign-in has ended or cannot go on. */
  readonly isSigningIn: boolean;
  readonly signIn: (isSigningIn: boolean) => void;
  /** Somebody is on the way to a PIN of their own: the settings ask for it as soon as they are there. */
  readonly isSettingPin: boolean;
  readonly setPin: (isSettingPin: boolean) => void;
  /** Whose PIN the lock screen asks for first; null: of whoever has locked it. */
  readonly comingNext: string | null;
  readonly letCome: (email: string | null) => void;
  /** The open place of the help; null while it is closed. */
  readonly help: HelpPlace | null;
  readonly showHelp: (help: HelpPlace | null) => void;
}

/** Whether a scan's answer is shown at once: the lookup is the screen, or the connect form, which gives way to it. */
export const isHome = ({ screen, connecting, isLookingUp }: Navigation): boolean =>
  screen === 'lookup' || (connecting !== null && !isLookingUp);

/** Reads a fragment; anything unknown is the lookup, which is home. */
export function screenOf(fragment: string): Screen {
  const [name] = fragment.split('/');
  return [...screens, ...rareScreens].find((screen) => `#${screen}` === name) ?? 'lookup';
}

/** The section that a fragment names, or `otherwise`. */
function sectionOf(fragment: string, otherwise: Section = 'general'): Section {
  return sections.find((section) => `#settings/${section}` === fragment) ?? otherwise;
}

/** Opens at the screen of the fragment; `show` writes a fragment into the address. */
export function createNavigationStore(fragment: string, show: (fragment: string) => void): StoreApi<Navigation> {
  return makeLastingStore<Navigation>({}, (set) => ({
    screen: screenOf(fragment),
    section: sectionOf(fragment),
    go(screen) {
      set({ screen });
      show(`#${screen}`);
    },
    forgetSection() {
      set({ section: 'general' });
    },
    take(next) {
      set(({ section }) => ({ screen: screenOf(next), section: sectionOf(next, section) }));
    },
    isLookingUp: false,
    lookUp(isLookingUp) {
      set({ isLookingUp });
    },
    connecting: null,
    connect(connecting) {
      set({ connecting, isLookingUp: false });
    },
    isSigningIn: false,
    signIn(isSigningIn) {
      set({ isSigningIn });
    },
    isSettingPin: false,
    setPin(isSettingPin) {
      set({ isSettingPin });
    },
    comingNext: null,
    letCome(comingNext) {
      set({ comingNext });
    },
    help: null,
    showHelp(help) {
      set({ help });
    },
  }));
}
