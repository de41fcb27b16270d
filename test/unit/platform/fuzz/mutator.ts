import type { SeededRandom } from '../../../support/seeded-random.ts';

/**
 * A JSON value as it will be written: plain values as their text, so that any figure can stand there, and names that
 * may repeat.
 */
type Node =
  | { readonly kind: 'plain'; text: string }
  | { readonly kind: 'list'; inner: Node[] }
  | { readonly kind: 'object'; fields: [name: string, node: Node][] }
  | {
      readonly kind: 'deep';
      readonly levels: number;
      readonly opening: string;
      readonly closing: string;
      readonly inner: Node;
    };

function innerOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'list':
      return node.inner;
    case 'object':
      return node.fields.map(([, inner]) => inner);
    default:
      return [];
  }
}

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) {
    return { kind: 'list', inner: value.map(nodeOf) };
  }
  if (typeof value === 'object' && value !== null) {
    return { kind: 'object', fields: Object.entries(value).map(([name, inner]) => [name, nodeOf(inner)]) };
  }
  return { kind: 'plain', text: typeof value === 'bigint' ? String(value) : JSON.stringify(value) };
}

function textOf(node: Node): string {
  switch (node.kind) {
    case 'plain':
      return node.text;
    case 'list':
      return `[${node.inner.map(textOf).join(',')}]`;
    case 'object':
      return `{${node.fields.map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`).join(',')}}`;
    case 'deep':
      return `${node.opening.repeat(node.levels)}${textOf(node.inner)}${node.closing.repeat(node.levels)}`;
  }
}

const figures =
  '0 -0 1 -1 1.0 1.5 1e2 1e999 -1e999 5e-324 0.1e-400 9007199254740991 9007199254740992 9007199254740993 9007199254740993.0 9223372036854775807 9223372036854775808 -9223372036854775808 18446744073709551616 123456789012345678901234567890'.split(
    ' ',
  );
const texts = [
  '""',
  '" "',
  '"0"',
  '"-1"',
  '"1.0"',
  '"1,5"',
  '"1e3"',
  '"NaN"',
  '"9223372036854775807"',
  '"9223372036854775808"',
  '"007"',
  '"true"',
  '"null"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00x"',
  '"\\u202e\\u2066abc"',
  '"e\\u0301\\u0301\\u0301"',
  '"\u{1F469}\u200D\u{1F469}\u200D\u{1F467}"',
  '"\\uFEFF"',
  '"<html>"',
  '"\'; DROP TABLE products; --"',
  '"__proto__"',
  '"2025-02-30T00:00:00-03:00"',
  '"2025-12-31"',
  '"0001-01-01T00:00:00+18:00"',
  '"%s%n"',
  '"\\u2028"',
];
const plains = [...figures, ...texts, 'null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"":""}'];
const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  '',
  ' ',
  '0',
  'id',
  'data',
  'items',
  'name',
  'balance',
  'total',
  '\uD800',
  '\u0000',
];

interface Place {
  readonly node: Node;
  /** Puts another node there, or takes it away. */
  readonly put: (node: Node | null) => void;
}

function placesIn(root: { node: Node }): Place[] {
  const places: Place[] = [{ node: root.node, put: (node) => (root.node = node ?? { kind: 'plain', text: 'null' }) }];
  const walk = (node: Node): void => {
    if (node.kind === 'list') {
      for (const inner of node.inner) {
        places.push({
          node: inner,
          put: (other) => node.inner.splice(node.inner.indexOf(inner), 1, ...(other === null ? [] : [other])),
        });
        walk(inner);
      }
    } else if (node.kind === 'object') {
      for (const field of node.fields) {
        places.push({
          node: field[1],
          put: (other) =>
            node.fields.splice(
              node.fields.indexOf(field),
              1,
              ...(other === null ? [] : [[field[0], other] as [string, Node]]),
            ),
        });
        walk(field[1]);
      }
    }
  };
  walk(root.node);
  return places;
}

function hugeNode(random: SeededRandom, node: Node): Node {
  const count = 10 ** (1 + random.integer(0, 2));
  const kind = random.integer(0, 2);
  if (kind === 0) {
    return { kind: 'plain', text: JSON.stringify(random.pick(['x', '\uD83D', 'á', ' ', '9']).repeat(count * 30)) };
  }
  return kind === 1
    ? { kind: 'list', inner: Array.from({ length: count }, () => node) }
    : {
        kind: 'object',
        fields: Array.from({ length: count }, (_unused, place) => [
          `${random.pick(hostileNames)}${place}`,
          { kind: 'plain', text: random.pick(plains) },
        ]),
      };
}

function rename(random: SeededRandom, place: Place): void {
  const { node } = place;
  const fields = node.kind === 'object' ? node.fields : [];
  const field = fields.length === 0 ? undefined : random.pick(fields);
  if (field !== undefined) {
    const [name] = field;
    field[0] = random.pick([
      ...hostileNames,
      name.toUpperCase(),
      name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
      `${name} `,
      random.pick(fields)[0],
    ]);
  }
}

const changes: readonly ((random: SeededRandom, place: Place) => void)[] = [
  (_random, place) => place.put(null),
  (_random, place) => place.put({ kind: 'plain', text: 'null' }),
  (random, place) => place.put({ kind: 'plain', text: random.pick(plains) }),
  (random, place) => place.put({ kind: 'plain', text: random.pick(figures) }),
  // Retyped: a figure as text, a text as whatever it may be.
  (_random, place) =>
    place.put(
      place.node.kind === 'plain'
        ? {
            kind: 'plain',
            text: place.node.text.startsWith('"')
              ? place.node.text.slice(1, -1).replaceAll(/[^\w.-]/g, '') || '0'
              : `"${place.node.text}"`,
          }
        : { kind: 'plain', text: JSON.stringify(textOf(place.node)) },
    ),
  // Nested and unnested.
  (_random, place) => place.put({ kind: 'list', inner: [place.node] }),
  (random, place) =>
    place.put({ kind: 'object', fields: [[random.pick(['data', 'value', 'product', '0', '__proto__']), place.node]] }),
  (random, place) => {
    const inner = innerOf(place.node);
    place.put(inner.length === 0 ? null : random.pick(inner));
  },
  rename,
  rename,
  (random, { node }) => {
    if (node.kind === 'object') {
      node.fields.splice(random.integer(0, node.fields.length), 0, [
        random.pick(hostileNames),
        { kind: 'plain', text: random.pick(plains) },
      ]);
    } else if (node.kind === 'list') {
      node.inner.splice(
        random.integer(0, node.inner.length),
        0,
        node.inner.length > 0 && random.chance(0.5)
          ? random.pick(node.inner)
          : { kind: 'plain', text: random.pick(plains) },
      );
    }
  },
];

function changeText(random: SeededRandom, text: string): string {
  const at = random.integer(0, text.length);
  switch (random.integer(0, 6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return `\uFEFF${text}`;
    case 2:
      return `<!doctype html><html>${text}</html>`;
    case 3:
      return '';
    case 4:
      return text + random.pick(['\n', ',', '}', ' null', '\u0000']);
    case 5:
      return `${text.slice(0, at)}${random.pick(['"', '\\', 'NaN', '\u0000', '\uFFFD', ',', ']'])}${text.slice(at + 1)}`;
    default:
      return `)]}',\n${text}`;
  }
}

/** Spoils a document in one to four places, now and then beyond all size, and answers its text. */
export function spoil(random: SeededRandom, document: unknown): string {
  const root = { node: nodeOf(document) };
  let isRareLeft = true;
  for (let left = 1 + random.integer(0, 3); left > 0; left -= 1) {
    const place = random.pick(placesIn(root));
    const rare: number = isRareLeft ? random.fraction() : 1;
    // Once a document, or it would grow beyond what any test can hold.
    isRareLeft = rare >= 0.012;
    if (rare < 0.004) {
      const [opening, closing] = random.chance(0.5) ? ['[', ']'] : ['{"data":', '}'];
      place.put({ kind: 'deep', levels: 10_000, opening, closing, inner: place.node });
    } else if (rare < 0.012) {
      place.put(hugeNode(random, place.node));
    } else {
      random.pick(changes)(random, place);
    }
  }
  const text = textOf(root.node);
  return random.chance(0.05) ? changeText(random, text) : text;
}
