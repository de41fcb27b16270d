import type { Catalogue } from '../catalogue/catalogue.ts';
import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import { mapResult } from '../domain/result.ts';
import type { Expiring } from './expiring.ts';

interface Open {
  readonly catalogue: Pick<Catalogue, 'hit'>;
  readonly expiring: Expiring;
}

/** One handler for each call about what expires. */
export function createExpiringHandlers(withOpen: WithOpen<Open>): HandlersOf<'expiring'> {
  return {
    'expiring:list': ({ span, term, offset, limit, after }) =>
      withOpen(async ({ expiring, catalogue }) => {
        const page = await expiring.page(span, term, offset, limit, after);
        return mapResult(page, ({ rows, ...rest }) => ({
          ...rest,
          rows: rows.map(({ stockId, productId, ...batch }) => {
            const hit = catalogue.hit({ stockId, productId });
            return hit === null ? null : { hit, ...batch };
          }),
        }));
      }),
    'expiring:readCoverage': () => withOpen(({ expiring }) => expiring.coverage()),
  };
}
