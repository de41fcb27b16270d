// The description of the interface as an OpenAPI 3.1 document, written from API v3 alone; the training platform serves
// it at /openapi.json, and tests hold both ends of the wire to it.
import { paths, parameters, responses } from './openapi-operations.ts';
import { schemas, type Part } from './openapi-schemas.ts';

const general = `Stock, product consumption coupons, users and authentication of a commerce platform, as far as API v3 shows them. What it does not
show is left open here.

**Headers.** Every request carries \`Content-Type: application/json\` and \`Accept: application/json\` (§1); every
*endpoint but those under
\`/oauth\` needs \`Authorization: Bearer\` (§5).

**Conventions.** Ids are int64. A date-time is \`YYYY-MM-DDThh:mm:ss+hh:mm\`, in the store's time zone (§2).

**Limits.** 60 requests per minute (§8).

**Idempotency.** The status and body of the first request made with a key are stored, server errors included; a later
*request with the same
key returns them again, and nothing is applied twice (§8).`;

/** The description for a platform at this base address. */
export function describeInterface(baseUrl: string): Part {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Commerce Platform REST API',
      version: '3.0.0',
      description: general,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'The base address.' }],
    security: [{ accessToken: [] }],
    tags: [
      { name: 'Authentication', description: 'OAuth 2.0.' },
      { name: 'Stock', description: 'Products, balances and batches of a stock.' },
      { name: 'Consumption coupons', description: 'Which products give a consumption coupon.' },
      { name: 'Users', description: 'Users of the platform.' },
      { name: 'Samples', description: 'Calls that API v3 names as samples only.' },
    ],
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
      parameters,
      responses,
      schemas,
    },
  };
}
