// The calls that runs have played: in which phases with which answers, and which settings with which values.
import { lockOf, whoOf } from '../../../app/contract/access.ts';
import { callPhases, type CallPhase } from './call-row.ts';
import { channels, rowOf } from './call-table.ts';
import { needsSignIn } from './judge-answers.ts';
import { settingNames, settingValues } from './setting-draws.ts';
import type { Channel } from '../../../app/contract/contract.ts';

/** How often each was met, by its name. */
export interface Coverage {
  /** "coupon:switch ready done" */
  readonly calls: Readonly<Record<string, number>>;
  /** "theme dark", the value as JSON. */
  readonly settings: Readonly<Record<string, number>>;
}

export interface CoverageCount {
  noteCall(channel: Channel, phase: CallPhase, answer: string): void;
  noteSetting(name: string, value: unknown): void;
  sum(): Coverage;
}

/** Counts from nothing. */
export function createCoverage(): CoverageCount {
  const calls: Record<string, number> = {};
  const settings: Record<string, number> = {};
  const add = (counts: Record<string, number>, name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  return {
    noteCall: (channel, phase, answer) => add(calls, `${channel} ${phase} ${answer}`),
    noteSetting: (name, value) => add(settings, `${name} ${JSON.stringify(value)}`),
    sum: () => ({ calls, settings }),
  };
}

const sumOf = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const sum = { ...one };
  for (const [name, count] of Object.entries(other)) {
    sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
};

export const noCoverage: Coverage = { calls: {}, settings: {} };

/** Of two runs together. */
export function mergeCoverage(one: Coverage, other: Coverage): Coverage {
  return { calls: sumOf(one.calls, other.calls), settings: sumOf(one.settings, other.settings) };
}

/** The answers that some world must have brought about. */
function answersOf(channel: Channel): readonly string[] {
  const { successes, failures = [], asksPlatform, unseen = {} } = rowOf(channel);
  const all = [
    ...(successes?.names ?? ['done']),
    ...failures,
    ...(asksPlatform === undefined ? [] : ['network']),
    ...(needsSignIn({ channel, isMild: false }) ? ['signInNeeded'] : []),
    ...(whoOf({ channel, isMild: false }) === 'manager' ? ['notInPractice'] : []),
    ...(lockOf({ channel, isMild: false }) === 'none' ? [] : ['locked']),
  ];
  return [...new Set(all)].filter((answer) => !Object.hasOwn(unseen, answer));
}

interface Cell {
  readonly name: string;
  readonly count: number;
}

/** Every call in every phase, every call with every answer of its row, and every setting with every value. */
function cellsOf({ calls, settings }: Coverage): {
  readonly phases: readonly Cell[];
  readonly answers: readonly Cell[];
  readonly values: readonly Cell[];
} {
  const byPhase: Record<string, number> = {};
  const byAnswer: Record<string, number> = {};
  for (const [name, count] of Object.entries(calls)) {
    const [channel = '', phase = '', answer = ''] = name.split(' ');
    byPhase[`${channel} ${phase}`] = (byPhase[`${channel} ${phase}`] ?? 0) + count;
    byAnswer[`${channel} ${answer}`] = (byAnswer[`${channel} ${answer}`] ?? 0) + count;
  }
  const cell = (counts: Readonly<Record<string, number>>, name: string): Cell => ({ name, count: counts[name] ?? 0 });
  return {
    phases: channels.flatMap((channel) => callPhases.map((phase) => cell(byPhase, `${channel} ${phase}`))),
    answers: channels.flatMap((channel) => answersOf(channel).map((answer) => cell(byAnswer, `${channel} ${answer}`))),
    values: settingNames.flatMap((name) =>
      settingValues[name].map((value) => cell(settings, `${name} ${JSON.stringify(value)}`)),
    ),
  };
}

/** Whatever was never met. */
export function gapsOf(coverage: Coverage): readonly string[] {
  const { phases, answers, values } = cellsOf(coverage);
  return [...phases, ...answers, ...values].flatMap(({ name, count }) => (count === 0 ? [name] : []));
}

/** A line for each kind of call, and what is left at zero. */
export function describeCoverage(coverage: Coverage): string {
  const cells = cellsOf(coverage);
  const line = (title: string, list: readonly Cell[]): string => {
    const met = list.filter(({ count }) => count > 0);
    const rare = met.toSorted((left, right) => left.count - right.count).slice(0, 5);
    return `${title}: ${String(met.length)} of ${String(list.length)}; rarest ${rare.map(({ name, count }) => `${name} ${String(count)}`).join(', ')}`;
  };
  const nouns = Map.groupBy(Object.entries(coverage.calls), ([name]) => name.split(':')[0] ?? '');
  const sums = [...nouns]
    .map(([noun, entries]) => `${noun} ${String(entries.reduce((sum, [, count]) => sum + count, 0))}`)
    .sort();
  const gaps = gapsOf(coverage);
  return [
    `calls: ${sums.join(', ')}`,
    line('calls × phases', cells.phases),
    line('calls × answers', cells.answers),
    line('settings × values', cells.values),
    gaps.length === 0 ? 'nothing is left at zero' : `${String(gaps.length)} at zero: ${gaps.join('; ')}`,
  ].join('\n');
}
