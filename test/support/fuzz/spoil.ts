import fc from 'fast-check';
import type { SeededRandom } from '../seeded-random.ts';

const maxChanges = 3;

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) {
    value = level % 2 === 0 ? { a: value } : [value];
  }
  return value;
}

function cyclic(): unknown {
  const circle: Record<string, unknown> = { a: 1 };
  circle['self'] = circle;
  circle['list'] = [circle];
  return circle;
}

class Impostor {
  readonly id = 1;
  get limit(): number {
    return 1;
  }
}

/** The form in which a message crosses the bridge: structured clone refuses some, JSON changes others. */
interface JunkOptions {
  /**
   * Functions, symbols, and objects that throw when they are looked at: no message can carry them, but a bug in a host
   * might let them in.
   */
  readonly withUncloneable: boolean;
}

function cloneables(): readonly unknown[] {
  return [
    undefined,
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    0.5,
    NaN,
    Infinity,
    -Infinity,
    2 ** 53,
    2 ** 63,
    -(2 ** 31),
    1e308,
    5e-324,
    0n,
    2n ** 80n,
    '',
    ' ',
    '0',
    '-0',
    '01',
    '1e3',
    '9223372036854775808',
    'NaN',
    'null',
    'true',
    '__proto__',
    'constructor',
    '\uD800',
    '\uDC00x',
    '\u0000',
    'x'.repeat(501),
    'x'.repeat(5_000),
    '😀'.repeat(3_000),
    "'; DROP TABLE updates; --",
    '../../etc/passwd',
    '<img src=x>',
    '${1}',
    '%s%n',
    [],
    [[]],
    [undefined],
    [null],
    {},
    { a: 1 },
    Array.from({ length: 3 }),
    [1, '2', { b: [] }],
    Array.from({ length: 20_000 }, () => 0),
    deep(200),
    deep(5_000),
    cyclic(),
    JSON.parse('{"__proto__":{"isEnabled":true}}'),
    JSON.parse('{"constructor":{"prototype":{"x":1}}}'),
    Object.create(null),
    Object.assign(Object.create(null) as object, { id: 1 }),
    new Date(0),
    new Date(NaN),
    /x/,
    new Map([['id', 1]]),
    new Set([1]),
    new Uint8Array(8),
    new ArrayBuffer(8),
    new Error('x'),
    Object(1),
    Object('text'),
    Object(true),
    Object(1n),
  ];
}

function uncloneables(): readonly unknown[] {
  return [
    () => 1,
    function named() {
      return 1;
    },
    Symbol('s'),
    Symbol.iterator,
    Impostor,
    new Impostor(),
    Object.create({ id: 1, updateId: 1, undo: 1 }),
    new WeakMap(),
    Promise.resolve(1),
    new Proxy({}, {}),
    {
      get id() {
        throw new Error('looked at');
      },
    },
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('looked at');
        },
        ownKeys: () => {
          throw new Error('listed');
        },
      },
    ),
    new Proxy([], {
      get: () => {
        throw new Error('looked at');
      },
    }),
    {
      toString: () => {
        throw new Error('written');
      },
      valueOf: () => {
        throw new Error('counted');
      },
      toJSON: () => {
        throw new Error('serialised');
      },
    },
  ];
}

/** Values that no channel takes anywhere, and others that look like what one takes. */
export function junkOf({ withUncloneable }: JunkOptions): readonly unknown[] {
  const anything = fc.sample(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      maxDepth: 4,
    }),
    { numRuns: 400, seed: 7 },
  );
  return [...cloneables(), ...(withUncloneable ? uncloneables() : []), ...anything];
}

/** Any of them, undefined included. */
function anyOf(random: SeededRandom, values: readonly unknown[]): unknown {
  return values[random.integer(0, values.length - 1)];
}

type Container = Record<string, unknown> | unknown[];

function isContainer(value: unknown): value is Container {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' &&
      value !== null &&
      [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null))
  );
}

function placesOf(value: unknown, found: Container[] = []): Container[] {
  if (isContainer(value)) {
    found.push(value);
    for (const inner of Object.values(value)) {
      placesOf(inner, found);
    }
  }
  return found;
}

function changeOne(random: SeededRandom, place: Container, junk: readonly unknown[]): void {
  const keys = Object.keys(place);
  const key = keys.length === 0 ? 'id' : random.pick(keys);
  const target = place as Record<string, unknown>;
  switch (random.pickWeighted({ replace: 6, remove: 2, add: 3, proto: 1, grow: 1, wrap: 1, text: 2, near: 2 })) {
    case 'replace':
      target[key] = anyOf(random, junk);
      break;
    case 'remove':
      Reflect.deleteProperty(target, key);
      break;
    case 'add':
      target[
        random.pick([
          'extra',
          'token',
          'accessToken',
          'password',
          '__proto__x',
          'toString',
          'then',
          ' ',
          '',
          'ID',
          `${key} `,
          key.toUpperCase(),
        ])
      ] = anyOf(random, junk);
      break;
    case 'proto':
      Object.defineProperty(target, '__proto__', {
        value: anyOf(random, junk),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      break;
    case 'grow':
      if (Array.isArray(place)) {
        place.push(...Array.from({ length: 11_000 }, () => place[0] ?? '1'));
      } else {
        target[key] = 'y'.repeat(random.pick([501, 4_097, 60_000]));
      }
      break;
    case 'wrap':
      target[key] = random.chance(0.5) ? [target[key]] : { value: target[key] };
      break;
    case 'text':
      target[key] = throughForm(target[key]) ?? anyOf(random, junk);
      break;
    case 'near':
      target[key] = nearTo(random, target[key]);
      break;
  }
}

/** The right value as a text, or a text's number, as a form would send it; null for what no form has. */
function throughForm(value: unknown): unknown {
  if (typeof value === 'string') {
    return Number(value);
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** A value that is nearly this one. */
function nearTo(random: SeededRandom, value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return random.pick([
        value + 0.5,
        -value - 1,
        value + 2 ** 53,
        Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n,
      ]);
    case 'string':
      return random.pick([`${value}\u0000`, ` ${value}`, `${value}.0`, `+${value}`]);
    default:
      return value === true ? 1 : null;
  }
}

/** A message made from this sound one, which is changed in place: spoilt, though by chance it may still be one. */
export function spoil(random: SeededRandom, sound: unknown, junk: readonly unknown[]): unknown {
  if (random.chance(0.1)) {
    return anyOf(random, junk);
  }
  const places = placesOf(sound);
  for (let left = random.integer(1, maxChanges); left > 0; left -= 1) {
    if (places.length > 0) {
      changeOne(random, random.pick(places), junk);
    }
  }
  return sound;
}
