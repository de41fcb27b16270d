// What a configuration says of a shop's own database. Not in sql.ts: the thread of a pass reads no configuration, and
// most of its start would be zod.
import { z } from 'zod';
import { secret, type WithSecrets } from '../../secrets.ts';
import { everySeconds } from '../every-seconds.ts';
import { parametersOf } from './connection.ts';

const query = z.string().min(1).max(20_000);

/** The queries of a configuration; see the README for their columns and parameters. */
const queriesSchema = z.strictObject({
  products: query,
  barcodes: query.optional(),
  stock: query,
  amount: query.optional(),
  movements: query.optional(),
  batches: query.optional(),
  setCoupon: query.optional(),
});
type Queries = z.infer<typeof queriesSchema>;
/** By what a query is named in the configuration. */
export type QueryName = keyof Queries;

/** A shop's own database in the configuration. */
export const sqlSchema = z.strictObject({
  kind: z.literal('sql'),
  database: z.union([
    z
      .string()
      .regex(
        /^sqlite:/,
        'must be "sqlite:PATH", or {"env": "NAME"} or {"file": "PATH"} for an address with a password',
      ),
    secret,
  ]),
  queries: queriesSchema,
  everySeconds: everySeconds.default(60),
});
/** A shop's own database with its address. */
export type SqlSettings = WithSecrets<z.infer<typeof sqlSchema>>;

/** The parameters that each query may name, and those that it must. */
const parameters: Readonly<Record<QueryName, { readonly must: readonly string[]; readonly may: readonly string[] }>> = {
  products: { must: [], may: [] },
  barcodes: { must: [], may: [] },
  stock: { must: [], may: [] },
  amount: { must: ['product', 'stock'], may: [] },
  movements: { must: ['product'], may: ['stock'] },
  batches: { must: ['product'], may: ['stock'] },
  setCoupon: { must: ['product', 'enabled'], may: [] },
};

/** What is wrong with the parameters of the queries, a sentence each. */
export function findQueryFaults(queries: Queries): readonly string[] {
  return Object.entries(parameters).flatMap(([name, { must, may }]) => {
    const sql = queries[name as QueryName];
    if (sql === undefined) {
      return [];
    }
    const named = new Set(parametersOf(sql));
    return [
      ...must.filter((one) => !named.has(one)).map((one) => `source.queries.${name} must use :${one}`),
      ...[...named]
        .filter((one) => !must.includes(one) && !may.includes(one))
        .map((one) => `source.queries.${name} has no parameter :${one}`),
    ];
  });
}
