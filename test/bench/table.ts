import { digits, ratio } from './statistics.ts';

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'frames' | 'MB' | 'bytes' | 'requests' | 'wake-ups';
  readonly value: number;
  /** The values of the rounds of which this is the median, where their spread is to be shown. */
  readonly spread?: readonly number[];
  /** The figures that it is compared with, measured in the same run and in the same unit. */
  readonly peers: readonly { readonly name: string; readonly value: number; readonly spread?: readonly number[] }[];
  /** At most this much. */
  readonly aim?: number;
}

function verdictOf({ value, aim = Number.POSITIVE_INFINITY }: Figure): string {
  if (!Number.isFinite(value)) {
    return 'not measured here';
  }
  return value <= aim ? 'yes' : 'NO';
}

function formatted(value: number, unit = '', spread: readonly number[] = []): string {
  const range = spread.length > 1 ? `(${digits(Math.min(...spread))}\u2013${digits(Math.max(...spread))})` : '';
  return [digits(value), unit, range].filter((part) => part !== '').join(' ');
}

function cells(figure: Figure): readonly string[] {
  const { name, unit, value, spread, peers, aim } = figure;
  const verdict = verdictOf(figure);
  const compared = peers
    .map((peer) => `${peer.name} ${formatted(peer.value, '', peer.spread)} (${ratio(value, peer.value)})`)
    .join('; ');
  return [
    name,
    formatted(value, unit, spread),
    compared,
    aim === undefined ? '' : `≤ ${aim} ${unit}`,
    aim === undefined ? '' : verdict,
  ];
}

/** The table for so many products; `heading` says how many. */
export function writeTable(heading: string, figures: readonly Figure[]): string {
  const rows = [
    [heading, 'Tillside', 'beside, in the same run (×: how many times as much Tillside takes)', 'aim', 'met'],
    ['---', '---:', '---', '---', '---'],
    ...figures.map(cells),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
