import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { invokes, type Channel } from '../../../app/contract/contract.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** The part of JSON Schema that zod writes. */
interface Description {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Description>>;
  readonly required?: readonly string[];
  readonly items?: Description;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Description[];
  readonly oneOf?: readonly Description[];
  readonly allOf?: readonly Description[];
}

const idPattern = String.raw`^(?:0|-?[1-9]\d{0,18})$`;
/** Whatever a schema says, a sample is no larger than a person's work. */
const maxListItems = 12;
const maxTextLength = 40;

function describe(schema: z.ZodType): Description {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The one schema of the contract that is a function: an int64 id as decimal text.
      if (zodSchema._zod.def.type === 'custom') {
        Object.assign(jsonSchema, { type: 'string', pattern: idPattern });
      }
    },
  }) as Description;
}

export const channels = Object.keys(invokes) as Channel[];
const descriptions = new Map(channels.map((channel) => [channel, describe(invokes[channel].input)]));

function countPlaces({ properties = {}, items, anyOf = [], oneOf = [], allOf = [] }: Description): number {
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf, ...oneOf, ...allOf];
  return inner.reduce((sum, one) => sum + countPlaces(one), 1);
}

/** How many places the input of this channel has in which something may be wrong: itself, and what lies within it. */
export function placesIn(channel: Channel): number {
  return countPlaces(descriptions.get(channel) ?? {});
}

/** The second judge: whether the input may be what this channel takes. */
export function createSecondJudge(): (channel: Channel, input: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  // A pattern stands beside it.
  ajv.addFormat('base64', true);
  const judges = new Map([...descriptions].map(([channel, description]) => [channel, ajv.compile(description)]));
  return (channel, input) => judges.get(channel)?.(input) === true;
}

const letters = [
  ...'abcxyzÁçñß0159 -_.,:;"\'\\/<>&%?#(){}[]|~`^$@!+=*日本😀\u0301\u200B\u202E\u0000\uD800\uDC00\r\n\t\u001D',
];

function text(random: SeededRandom, shortest: number, longest: number): string {
  const length = random.integer(shortest, Math.max(shortest, Math.min(longest, maxTextLength)));
  return Array.from({ length }, () => random.pick(letters))
    .join('')
    .slice(0, longest)
    .padEnd(shortest, 'x');
}

function whole(
  random: SeededRandom,
  { minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Description,
): number {
  const lowest = Math.max(minimum, -Number.MAX_SAFE_INTEGER);
  const highest = Math.min(maximum, Number.MAX_SAFE_INTEGER);
  return random.pick([
    lowest,
    highest,
    Math.min(highest, Math.max(lowest, 0)),
    Math.min(highest, Math.max(lowest, 1)),
    random.integer(Math.max(lowest, -50), Math.min(highest, Math.max(lowest, 50) + 50)),
  ]);
}

function sample(random: SeededRandom, description: Description): unknown {
  const { type, properties, required = [], items, minItems = 0, maxItems = maxListItems } = description;
  const choices = description.anyOf ?? description.oneOf;
  if (description.const !== undefined) {
    return description.const;
  }
  if (description.enum !== undefined) {
    return random.pick(description.enum);
  }
  if (choices !== undefined) {
    return sample(random, random.pick(choices));
  }
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).flatMap(([name, inner]) =>
          required.includes(name) || random.chance(0.5) ? [[name, sample(random, inner)]] : [],
        ),
      );
    case 'array': {
      const count = random.integer(minItems, Math.max(minItems, Math.min(maxItems, maxListItems)));
      return Array.from({ length: count }, () => sample(random, items ?? {}));
    }
    case 'string':
      return description.pattern === idPattern
        ? random.pick([
            '0',
            '1',
            '7',
            '703',
            '9007199254740993',
            '9223372036854775807',
            '-9223372036854775808',
            String(random.integer(1, 10_000)),
          ])
        : text(random, description.minLength ?? 0, description.maxLength ?? maxTextLength);
    case 'integer':
      return whole(random, description);
    case 'number':
      return random.pick([whole(random, description), 0.5, -0]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return {};
  }
}

/** A made-up input for this channel; most are what it takes. */
export function sampleInput(random: SeededRandom, channel: Channel): unknown {
  return sample(random, descriptions.get(channel) ?? {});
}
