import type { Language } from '../../app/contract/basics.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** How many products a walk scans, searches and switches: few, so that each is met again. */
export const walkedProducts = 12;

/** What the platform does for a while: answers 500, 429, nothing, nothing of what it has done, or behaves. */
export const troubles = ['none', 'serverErrors', 'tooMany', 'silent', 'halfDone', 'slow'] as const;

/** Two companies of the platform, and the practice store. */
export const shops = ['first', 'second', 'practice'] as const;
export type Shop = (typeof shops)[number];

/** What the page looks like. */
export interface Appearance {
  readonly language: Language;
  readonly textSize: 'normal' | 'large' | 'largest';
  readonly theme: 'light' | 'dark';
}

export const walkedKeys = [
  'F4',
  'Escape',
  'Enter',
  'Tab',
  'Shift+Tab',
  'ArrowDown',
  'ArrowUp',
  'Space',
  'F1',
  'F2',
  'F9',
  'Alt+l',
  'Alt+o',
  'Alt+t',
  'Alt+c',
  'Alt+q',
  'Alt+a',
  'Alt+n',
  '1',
] as const;

/** One thing that is done; plain data, so that a walk without some of its steps can be walked as well. */
export type Step =
  | {
      readonly do: 'scan';
      readonly product: number;
      /** Milliseconds before the keys at these places, by the keys' own times. */
      readonly pauses: Readonly<Record<number, number>>;
      /** So long after the scan's last key F4 is pressed; null: not at all. */
      readonly f4AfterMs: number | null;
    }
  | { readonly do: 'key'; readonly key: (typeof walkedKeys)[number] }
  | { readonly do: 'search'; readonly product: number; readonly letters: number; readonly choose: boolean }
  /** Of all that is shown and can be pressed, the one at this part of the way. */
  | { readonly do: 'click'; readonly part: number }
  | { readonly do: 'network'; readonly isDown: boolean }
  | { readonly do: 'platform'; readonly trouble: (typeof troubles)[number] }
  | { readonly do: 'others'; readonly change: 'coupon' | 'balance'; readonly product: number; readonly amount: number }
  /** The platform forgets the sign-ins: the short ones, or those that they are renewed with. */
  | { readonly do: 'forget'; readonly tokens: 'access' | 'refresh' }
  | { readonly do: 'shop'; readonly to: Shop }
  | ({ readonly do: 'appearance' } & Appearance)
  /** Closed, and opened again so much later. */
  | { readonly do: 'window'; readonly awayMs: number }
  /** A scan into the companion bar, with or without F4; null: it is put away. */
  | { readonly do: 'bar'; readonly product: number | null; readonly isSwitched: boolean }
  /** Sets the terminal's clock to so many minutes ahead. */
  | { readonly do: 'clock'; readonly aheadMinutes: number }
  /** Has a plan switch a coupon within seconds. */
  | { readonly do: 'plan'; readonly product: number; readonly isOn: boolean }
  | { readonly do: 'slow'; readonly times: number }
  | { readonly do: 'lock' }
  | { readonly do: 'signOut' }
  /** The main process, as a power cut would or a person; or the page alone. */
  | { readonly do: 'restart'; readonly of: 'SIGKILL' | 'SIGTERM' | 'page' }
  /** By PIN or password, whichever is asked for. */
  | { readonly do: 'comeBack'; readonly who: 0 | 1 }
  | { readonly do: 'wait'; readonly ms: number }
  /** Contrast, names and the way of the Tab key, once on each screen. */
  | { readonly do: 'look' };

export type StepKind = Step['do'];

const weights: Readonly<Record<StepKind, number>> = {
  scan: 30,
  key: 16,
  search: 5,
  click: 14,
  network: 5,
  platform: 4,
  others: 5,
  forget: 1,
  shop: 4,
  appearance: 2,
  window: 1,
  bar: 4,
  clock: 1,
  plan: 2,
  slow: 2,
  lock: 1,
  signOut: 1,
  restart: 1,
  comeBack: 10,
  wait: 3,
  look: 3,
};

function drawStep(random: SeededRandom): Step {
  const kind = random.pickWeighted(weights);
  const product = random.integer(0, walkedProducts - 1);
  switch (kind) {
    case 'scan': {
      const pauses = random.chance(0.3) ? { [random.integer(1, 12)]: random.integer(80, 500) } : {};
      return {
        do: kind,
        product,
        pauses,
        f4AfterMs: random.chance(0.4) ? random.pick([0, 0, 3, 20, 60, 150, 400]) : null,
      };
    }
    case 'key':
      return { do: kind, key: random.chance(0.4) ? 'F4' : random.pick(walkedKeys) };
    case 'search':
      return { do: kind, product, letters: random.integer(2, 6), choose: random.chance(0.6) };
    case 'click':
      return { do: kind, part: random.fraction() };
    case 'network':
      return { do: kind, isDown: random.chance(0.5) };
    case 'platform':
      return { do: kind, trouble: random.chance(0.5) ? 'none' : random.pick(troubles) };
    case 'others':
      return { do: kind, change: random.chance(0.5) ? 'coupon' : 'balance', product, amount: random.integer(-5, 400) };
    case 'forget':
      return { do: kind, tokens: random.chance(0.7) ? 'access' : 'refresh' };
    case 'shop':
      return { do: kind, to: random.chance(0.5) ? 'first' : random.pick(shops) };
    case 'appearance':
      return {
        do: kind,
        language: random.chance(0.5) ? 'en' : random.pick(['pt-BR', 'es']),
        textSize: random.pick(['normal', 'large', 'largest']),
        theme: random.pick(['light', 'dark']),
      };
    case 'window':
      return { do: kind, awayMs: random.pick([0, 500, 4_000]) };
    case 'bar':
      return { do: kind, product: random.chance(0.8) ? product : null, isSwitched: random.chance(0.4) };
    case 'clock':
      return { do: kind, aheadMinutes: random.pick([0, 0, 90, -90, 2 * 24 * 60]) };
    case 'plan':
      return { do: kind, product, isOn: random.chance(0.5) };
    case 'slow':
      return { do: kind, times: random.chance(0.5) ? 6 : 1 };
    case 'restart':
      return { do: kind, of: random.pick(['SIGKILL', 'SIGTERM', 'page']) };
    case 'comeBack':
      return { do: kind, who: random.chance(0.7) ? 0 : 1 };
    case 'wait':
      return { do: kind, ms: random.pick([300, 1_000, 3_000, 8_000]) };
    default:
      return { do: kind };
  }
}

/** The steps of a walk. */
export function drawSteps(random: SeededRandom, count: number): readonly Step[] {
  return Array.from({ length: count }, () => drawStep(random));
}

/** A step in a line. */
export function tellStep({ do: kind, ...more }: Step): string {
  const words = Object.entries(more).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [kind, ...words].join(' ');
}
