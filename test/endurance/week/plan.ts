import type { SeededRandom } from '../../support/seeded-random.ts';

/** The work of one terminal in a week. */
export interface Load {
  readonly scans: number;
  readonly switches: number;
  readonly outages: number;
  readonly sleeps: number;
}

const wholeWeek: Load = { scans: 50_000, switches: 5_000, outages: 200, sleeps: 50 };
export const daysOfWeek = 7;
export const productCount = 2_000;
/** So many of them are switched, and so many opened: all on the first day. */
export const switchedProducts = 400;

export type LoadKind = keyof Load;

const kinds = ['scans', 'switches', 'outages', 'sleeps'] as const satisfies readonly LoadKind[];

/** A part of the week's load, at least one of each. */
export function partOf(part: number): Load {
  return Object.fromEntries(
    kinds.map((kind) => [kind, Math.max(1, Math.round(wholeWeek[kind] * part))]),
  ) as unknown as Load;
}

/** The share of one of so many equal parts, so that all parts together are the whole. */
export function shareOf(load: Load, place: number, parts: number): Load {
  const share = (whole: number): number =>
    Math.floor((whole * (place + 1)) / parts) - Math.floor((whole * place) / parts);
  return Object.fromEntries(kinds.map((kind) => [kind, share(load[kind])])) as unknown as Load;
}

/** So many moments within a time, one in each of as many equal slots, each within the first half of its slot. */
export function spread(count: number, lengthMs: number, random: SeededRandom): readonly number[] {
  const slotMs = lengthMs / count;
  return Array.from({ length: count }, (_, place) => Math.floor((place + random.fraction() / 2) * slotMs));
}

export function formatLoad({ scans, switches, outages, sleeps }: Load): string {
  return `${scans} scans, ${switches} switches, ${outages} outages, ${sleeps} sleeps`;
}
