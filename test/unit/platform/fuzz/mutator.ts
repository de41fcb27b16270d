/** A number from 0 up to but not including 1. */
export type Chance = () => number;

/** Mulberry32: small, fast, and the same everywhere. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 up to but not including `end`. */
export function below(chance: Chance, end: number): number {
  return Math.floor(chance() * end);
}

export function oneOf<Item>(chance: Chance, items: readonly Item[]): Item {
  const item = items[below(chance, items.length)];
  if (item === undefined) {
    throw new Error('nothing to choose from');
  }
  return item;
}

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

function hugeNode(chance: Chance, node: Node): Node {
  const count = 10 ** (1 + below(chance, 3));
  const kind = below(chance, 3);
  if (kind === 0) {
    return { kind: 'plain', text: JSON.stringify(oneOf(chance, ['x', '\uD83D', 'á', ' ', '9']).repeat(count * 30)) };
  }
  return kind === 1
    ? { kind: 'list', inner: Array.from({ length: count }, () => node) }
    : {
        kind: 'object',
        fields: Array.from({ length: count }, (_unused, place) => [
          `${oneOf(chance, hostileNames)}${place}`,
          { kind: 'plain', text: oneOf(chance, plains) },
        ]),
      };
}

function rename(chance: Chance, place: Place): void {
  const { node } = place;
  const fields = node.kind === 'object' ? node.fields : [];
  const field = fields.length === 0 ? undefined : oneOf(chance, fields);
  if (field !== undefined) {
    const [name] = field;
    field[0] = oneOf(chance, [
      ...hostileNames,
      name.toUpperCase(),
      name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
      `${name} `,
      oneOf(chance, fields)[0],
    ]);
  }
}

const changes: readonly ((chance: Chance, place: Place) => void)[] = [
  (_chance, place) => place.put(null),
  (_chance, place) => place.put({ kind: 'plain', text: 'null' }),
  (chance, place) => place.put({ kind: 'plain', text: oneOf(chance, plains) }),
  (chance, place) => place.put({ kind: 'plain', text: oneOf(chance, figures) }),
  // Retyped: a figure as text, a text as whatever it may be.
  (_chance, place) =>
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
  (_chance, place) => place.put({ kind: 'list', inner: [place.node] }),
  (chance, place) =>
    place.put({
      kind: 'object',
      fields: [[oneOf(chance, ['data', 'value', 'product', '0', '__proto__']), place.node]],
    }),
  (chance, place) => {
    const inner = innerOf(place.node);
    place.put(inner.length === 0 ? null : oneOf(chance, inner));
  },
  rename,
  rename,
  (chance, { node }) => {
    if (node.kind === 'object') {
      node.fields.splice(below(chance, node.fields.length + 1), 0, [
        oneOf(chance, hostileNames),
        { kind: 'plain', text: oneOf(chance, plains) },
      ]);
    } else if (node.kind === 'list') {
      node.inner.splice(
        below(chance, node.inner.length + 1),
        0,
        node.inner.length > 0 && chance() < 0.5
          ? oneOf(chance, node.inner)
          : { kind: 'plain', text: oneOf(chance, plains) },
      );
    }
  },
];

function changeText(chance: Chance, text: string): string {
  const at = below(chance, text.length + 1);
  switch (below(chance, 7)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return `\uFEFF${text}`;
    case 2:
      return `<!doctype html><html>${text}</html>`;
    case 3:
      return '';
    case 4:
      return text + oneOf(chance, ['\n', ',', '}', ' null', '\u0000']);
    case 5:
      return `${text.slice(0, at)}${oneOf(chance, ['"', '\\', 'NaN', '\u0000', '\uFFFD', ',', ']'])}${text.slice(at + 1)}`;
    default:
      return `)]}',\n${text}`;
  }
}

/** Spoils a document in one to four places, now and then beyond all size, and answers its text. */
export function spoil(chance: Chance, document: unknown): string {
  const root = { node: nodeOf(document) };
  let isRareLeft = true;
  for (let left = 1 + below(chance, 4); left > 0; left -= 1) {
    const place = oneOf(chance, placesIn(root));
    const rare: number = isRareLeft ? chance() : 1;
    // Once a document, or it would grow beyond what any test can hold.
    isRareLeft = rare >= 0.012;
    if (rare < 0.004) {
      const [opening, closing] = chance() < 0.5 ? ['[', ']'] : ['{"data":', '}'];
      place.put({ kind: 'deep', levels: 10_000, opening, closing, inner: place.node });
    } else if (rare < 0.012) {
      place.put(hugeNode(chance, place.node));
    } else {
      oneOf(chance, changes)(chance, place);
    }
  }
  const text = textOf(root.node);
  return chance() < 0.05 ? changeText(chance, text) : text;
}
