import type { Line, Report, Shown } from './run.ts';
import { fill, words, type Language, type Reason } from './words.ts';

const marks = { kept: '✓', broken: '✗', untold: '?' } as const;
/** A reading may be a list of all fields. */
const maxValue = 300;
/** A reason may hold what the platform has sent. */
const maxWhy = 500;

/** What a platform has sent cannot move a terminal's cursor or hide a line. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

/** The same in a JSON text, whose own line ends stay. */
const escaped = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

function writeShown(name: string, { line, headers, body }: Shown): string[] {
  const told = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return [`    ${name}: ${line}`, ...told.map((text) => `      ${text}`), ...(body === '' ? [] : [`      ${body}`])];
}

/** The title of a check or a reading; its id where it has none. */
function titleOf(titles: Readonly<Record<string, string>>, id: string): string {
  return titles[id] ?? id;
}

/** Each line with its words, what is broken first. */
export function linesIn(
  { lines }: Report,
  language: Language,
): { id: string; verdict: Line['verdict']; title: string; why: string | null }[] {
  const { check, why } = words[language];
  const order = ['broken', 'untold', 'kept'];
  return lines
    .map(({ id, verdict, why: reason }) => ({
      id,
      verdict,
      title: titleOf(check, id),
      why: reason && printable(fill(why[reason.key], reason.params)).slice(0, maxWhy),
    }))
    .toSorted((left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict));
}

/** The report for a person. */
export function writeReport(report: Report, language: Language): string {
  const { check, reading, value, why, report: said } = words[language];
  const reasonOf = ({ key, params }: Reason): string => fill(why[key], params);
  const write = ({ id, verdict, why: reason, request, answer }: Line): string[] => [
    `${marks[verdict]} §${id.split(':')[0]} ${titleOf(check, id)}${verdict === 'kept' ? '' : `: ${said[verdict]}`} [${id}]`,
    ...(reason === null ? [] : [`    ${reasonOf(reason)}`]),
    ...(request === null ? [] : writeShown(said.request, request)),
    ...(answer === null ? [] : writeShown(said.answer, answer)),
  ];
  const count = (verdict: Line['verdict']): number => report.lines.filter((line) => line.verdict === verdict).length;
  const outcomes = {
    kept: said.outcomeKept,
    broken: fill(said.outcomeBroken, {
      ids: report.lines
        .filter(({ verdict }) => verdict === 'broken')
        .map(({ id }) => id)
        .join(', '),
    }),
    notJudged: fill(said.outcomeNotJudged, { why: report.why === null ? '' : reasonOf(report.why) }),
  };
  const values: Readonly<Record<string, string>> = value;
  return [
    fill(said.title, { url: report.url, company: report.company, stock: report.stock }),
    '',
    ...report.lines.flatMap(write),
    '',
    said.readings,
    ...report.readings.map(
      ({ id, value: read }) =>
        `- §${id.split(':')[0]} ${titleOf(reading, id)}: ${(values[read] ?? read).slice(0, maxValue)}`,
    ),
    '',
    fill(said.figures, { requests: report.requests, seconds: report.seconds, perMinute: report.perMinute }),
    fill(said.counts, { kept: count('kept'), broken: count('broken'), untold: count('untold') }),
    outcomes[report.outcome],
  ]
    .map(printable)
    .join('\n');
}

/** The same for programs, with every sentence in words beside its key. */
export function writeJsonReport(report: Report, language: Language): string {
  const { check, reading, why } = words[language];
  const reasonOf = (reason: Reason | null): object | null =>
    reason && { ...reason, says: fill(why[reason.key], reason.params) };
  const told = {
    ...report,
    why: reasonOf(report.why),
    lines: report.lines.map((line) => ({ ...line, title: titleOf(check, line.id), why: reasonOf(line.why) })),
    readings: report.readings.map((one) => ({ ...one, title: titleOf(reading, one.id) })),
  };
  return escaped(JSON.stringify(told, null, 2));
}
