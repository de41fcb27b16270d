// The description of what programs can ask, as an OpenAPI 3.1 document made of the schemas that the answers follow.
import { z } from 'zod';
import { couponChoiceSchema, couponSchema, lookupSchema, queueSchema, statusSchema } from './answers.ts';
import { eventSchema, eventProtocol, tokenProtocolPrefix } from './events.ts';

type Part = Readonly<Record<string, unknown>>;

const general = `What programs of this machine can ask of the Tillside that runs. Every request brings
\`Authorization: Bearer TOKEN\`, with the token from Settings, Connection, Programs on this machine; never in the address.
A web page may ask only from an origin that stands in those settings. Fields are added to the answers, never changed.`;

/** Fields may be added to an answer, so that no schema closes it. */
function schemaOf(schema: z.ZodType): Part {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  return rest;
}

const errorSchema = z.object({ error: z.string().describe('A word for programs.') });

const whys: Readonly<Record<number, string>> = {
  400: '`inputInvalid`: the code or the body is not what is expected.',
  401: '`tokenNeeded`: no token, or not the present one.',
  403: '`signInNeeded`, `locked` by the manager, `notAllowed`, or `originNotAllowed` for a web page.',
  404: '`notFoundHere`: this terminal has no such product.',
  409: '`otherShop`: another shop is open than the one that was named.',
  413: '`tooLarge`.',
  415: '`notJson`.',
  426: '`webSocketNeeded`.',
  429: '`tooMany`: ask again after so many seconds.',
  503: '`notReady`: nothing is set up, the queue is full (`queueFull`), or too many listen.',
};

const json = (name: string): Part => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

function failures(statuses: readonly number[]): Part {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: whys[status] ?? '',
        content: json('Error'),
        ...(status === 429
          ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } }
          : {}),
      },
    ]),
  );
}

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly answer: { readonly description: string; readonly content: Part };
  readonly fails: readonly number[];
  readonly more?: Part;
}

const operation = ({ id, summary, description, answer, fails, more = {} }: Operation): Part => ({
  operationId: id,
  summary,
  description,
  ...more,
  responses: { 200: answer, ...failures(fails) },
});

const paths: Part = {
  '/v1/lookup': {
    get: operation({
      id: 'lookUp',
      summary: 'What a code is',
      description: "The answer to a scan, from this terminal's copy alone. Nothing is asked of the platform.",
      answer: { description: 'Found, or why not.', content: json('Lookup') },
      fails: [400, 401, 403, 429, 503],
      more: {
        parameters: [
          {
            name: 'code',
            in: 'query',
            required: true,
            description: 'As a scanner sends it, at most 4,096 characters.',
            schema: { type: 'string', maxLength: 4096 },
          },
        ],
      },
    }),
  },
  '/v1/queue': {
    get: operation({
      id: 'readQueue',
      summary: 'How the queue stands',
      description: 'Figures alone, no names.',
      answer: { description: 'The queue.', content: json('Queue') },
      fails: [401, 403, 429, 503],
    }),
  },
  '/v1/status': {
    get: operation({
      id: 'readStatus',
      summary: 'How the terminal is',
      description: "Its version, whether the platform answers, and the copy's age.",
      answer: { description: 'The status.', content: json('Status') },
      fails: [401, 403, 429],
    }),
  },
  '/v1/coupons/{productId}': {
    put: operation({
      id: 'switchCoupon',
      summary: "Switch a product's coupon",
      description:
        'Only where the settings allow it, somebody is signed in, and the manager has not locked coupons. It is on disk when it answers, and sent by the queue. The same again changes nothing. Without `shop` it is switched in whichever shop is open.',
      answer: { description: 'The coupon as it now stands.', content: json('Coupon') },
      fails: [400, 401, 403, 404, 409, 413, 415, 429, 503],
      more: {
        parameters: [
          {
            name: 'productId',
            in: 'path',
            required: true,
            description: "The platform's number of the product.",
            schema: { type: 'string', pattern: String.raw`^\d{1,19}$` },
          },
        ],
        requestBody: { required: true, content: json('CouponChoice') },
      },
    }),
  },
  '/v1/events': {
    get: {
      operationId: 'listen',
      summary: 'Scans and the queue, as they happen',
      description: `A web socket of the protocol \`${eventProtocol}\`. A program that cannot set headers, as a web page, names its token as a second protocol, \`${tokenProtocolPrefix}TOKEN\`. Each message is one event as JSON; the first tells the queue. Whoever sends anything, or does not read, is cut off.`,
      responses: {
        101: { description: 'Each message is an `Event`.', content: json('Event') },
        ...failures([401, 403, 426, 429, 503]),
      },
    },
  },
  '/v1/openapi.json': {
    get: operation({
      id: 'describe',
      summary: 'This description',
      description: 'Made of the schemas that the answers follow.',
      answer: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
      fails: [401, 403, 429],
    }),
  },
};

/** The document; the same whichever way it was asked for. */
export function describePrograms(): Part {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillside for programs of this machine',
      version: '1.0.0',
      description: general,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document was read.' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Lookup: schemaOf(lookupSchema),
        Queue: schemaOf(queueSchema),
        Status: schemaOf(statusSchema),
        Coupon: schemaOf(couponSchema),
        CouponChoice: schemaOf(couponChoiceSchema),
        Event: schemaOf(eventSchema),
        Error: schemaOf(errorSchema),
      },
    },
  };
}
