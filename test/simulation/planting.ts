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

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: unknown;
}

/** All that is in a tree, what encloses others before them. */
function nodesIn(tree: unknown): Node[] {
  if (typeof tree !== 'object' || tree === null) {
    return [];
  }
  const inner = Object.values(tree).flatMap(nodesIn);
  return 'type' in tree && 'start' in tree && 'end' in tree && tree.type !== 'Program'
    ? [tree as Node, ...inner]
    : inner;
}

/** A file's text, as it lies there unless given, and all that is in it. */
export function readCode(file: string, text = readFileSync(join(root, file), 'utf8')) {
  const { program, comments, errors } = parseSync(file, text);
  return { text, nodes: nodesIn(program), comments, errors };
}

/** Where what is marked begins and ends, or null where nothing begins right after the marker. */
function markedIn(
  { text, nodes, comments }: ReturnType<typeof readCode>,
  name: string,
): readonly [number, number] | null {
  const own = comments.find(({ value }) => value === `${marker}${name}`);
  const after = nodes.filter(({ start }) => own !== undefined && start >= own.end);
  const start = Math.min(...after.map((node) => node.start));
  const isNext = own !== undefined && after.length > 0 && /^(?:\s|\/\/.*)*$/.test(text.slice(own.end, start));
  return isNext ? [start, Math.max(...after.filter((node) => node.start === start).map(({ end }) => end))] : null;
}

/**
 * The expression that finds the pattern however the code is formatted, trailing commas and comments between included.
 */
function toExpression(pattern: string): RegExp {
  const seen = new Set<string>();
  const parts = (pattern.match(/\$\d+|[\w$]+|\S/g) ?? []).map((token) => {
    if (token === '…') {
      return '(?<gap>[^]*?)';
    }
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
export function plant(
  { name, change }: Mutation,
  code: (file: string) => ReturnType<typeof readCode> = readCode,
): { readonly file: string; readonly text: string } | string {
  const files = markers.get(name) ?? [];
  const [file] = files;
  if (file === undefined || files.length > 1) {
    return `no longer applies: ${String(files.length)} places are marked with it`;
  }
  const before = code(file);
  const marked = markedIn(before, name);
  if (marked === null) {
    return `no longer applies: nothing begins after its marker in ${file}`;
  }
  const { text } = before;
  const [start, end] = marked;
  if (change === 'skip') {
    return { file, text: `${text.slice(0, start)};${text.slice(end)}` };
  }
  const [pattern, replacement] = change;
  const expression = toExpression(pattern);
  const matches: RegExpExecArray[] = [];
  const part = text.slice(start, end);
  for (let match = expression.exec(part); match !== null; match = expression.exec(part)) {
    matches.push(match);
    expression.lastIndex = match.index + 1;
  }
  const [match] = matches;
  if (match === undefined || matches.length > 1) {
    return `no longer applies: what is marked in ${file} has ${String(matches.length)} such places`;
  }
  const put = replacement.replaceAll(
    /\$(\d+)|…/g,
    (_, place = '') => match.groups?.[place === '' ? 'gap' : `n${place}`] ?? '',
  );
  const at = start + match.index;
  return { file, text: `${text.slice(0, at)}${put}${text.slice(at + match[0].length)}` };
}
