// A planted bug stands in the code at its marker, a comment of its own line before what it changes: `// mutant: ` and its
// name. It so survives that code moves, is renamed or formatted anew. What is marked is the whole statement, property
// or expression that begins after the marker.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import type { Mutation } from './mutation.ts';

const root = resolve(import.meta.dirname, '../..');
const marker = ' mutant: ';

/** Each marker's name with the files that have it. */
function readMarkers(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const room of ['app', 'renderer']) {
    for (const name of readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })) {
      if (/\.tsx?$/.test(name)) {
        const file = `${room}/${name.replaceAll('\\', '/')}`;
        for (const [, mutant = ''] of readFileSync(join(root, file), 'utf8').matchAll(/\/\/ mutant: (.*)/g)) {
          found.set(mutant, [...(found.get(mutant) ?? []), file]);
        }
      }
    }
  }
  return found;
}

/** The markers of the tree as it is. */
export const markers = readMarkers();

/** Where what is marked begins and ends, or null where nothing begins right after the marker. */
function markedIn(file: string, text: string, name: string): readonly [number, number] | null {
  const { program, comments } = parseSync(file, text);
  const own = comments.find(({ value }) => value === `${marker}${name}`);
  let [start, end] = [text.length, text.length];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) {
      return;
    }
    if ('type' in node && 'start' in node && 'end' in node && node.type !== 'Program') {
      const [from, to] = [Number(node.start), Number(node.end)];
      if (own !== undefined && from >= own.end && (from < start || (from === start && to > end))) {
        [start, end] = [from, to];
      }
    }
    Object.values(node).forEach(visit);
  };
  visit(program);
  const isNext = own !== undefined && /^(?:\s|\/\/.*)*$/.test(text.slice(own.end, start));
  return isNext && start < end ? [start, end] : null;
}

/**
 * The expression that finds the pattern however the code is formatted, trailing commas and comments between included.
 */
function toExpression(pattern: string): RegExp {
  const seen = new Set<string>();
  const parts = (pattern.match(/\$\d+|[\w$]+|\S/g) ?? []).map((token) => {
    if (/^\$\d/.test(token)) {
      const part = seen.has(token) ? `\\k<n${token.slice(1)}>` : `(?<n${token.slice(1)}>[A-Za-z_][\\w$]*)`;
      seen.add(token);
      return `\\b${part}\\b`;
    }
    return /^\w/.test(token)
      ? `\\b${token}\\b`
      : `${/[)\]}]/.test(token) ? '(?:,\\s*)?' : ''}${token.replaceAll(/\W/g, '\\$&')}`;
  });
  return new RegExp(parts.join('(?:\\s|//.*)*'), 'g');
}

/** The file of the mutation with the bug in it, or why it does not apply. */
export function plant({ name, change }: Mutation): { readonly file: string; readonly text: string } | string {
  const files = markers.get(name) ?? [];
  const [file] = files;
  if (file === undefined || files.length > 1) {
    return `no longer applies: ${String(files.length)} places are marked with it`;
  }
  const text = readFileSync(join(root, file), 'utf8');
  const marked = markedIn(file, text, name);
  if (marked === null) {
    return `no longer applies: nothing begins after its marker in ${file}`;
  }
  const [start, end] = marked;
  if (change === 'skip') {
    return { file, text: `${text.slice(0, start)};${text.slice(end)}` };
  }
  const [pattern, replacement] = change;
  const expression = toExpression(pattern);
  const matches: RegExpExecArray[] = [];
  const code = text.slice(start, end);
  for (let match = expression.exec(code); match !== null; match = expression.exec(code)) {
    matches.push(match);
    expression.lastIndex = match.index + 1;
  }
  const [match] = matches;
  if (match === undefined || matches.length > 1) {
    return `no longer applies: what is marked in ${file} has ${String(matches.length)} such places`;
  }
  const put = replacement.replaceAll(/\$(\d+)/g, (_, place: string) => match.groups?.[`n${place}`] ?? '');
  const at = start + match.index;
  return { file, text: `${text.slice(0, at)}${put}${text.slice(at + match[0].length)}` };
}
