import type { Handlers } from '../contract/bridge.ts';
import { mapResult } from '../domain/result.ts';
import type { OpenStore } from './workspace/open-store.ts';

type ExpiringChannel = Extract<keyof Handlers, `expiring:${string}`>;

/** One handler for each call about what expires. */
export function createExpiringHandlers({
  withWorkspace,
}: Pick<OpenStore, 'withWorkspace'>): Pick<Handlers, ExpiringChannel> {
  return {
    'expiring:list': ({ span, term, offset, limit }) =>
      withWorkspace(async ({ expiring, catalogue }) => {
        const page = await expiring.page(span, term, offset, limit);
        return mapResult(page, ({ total, rows }) => ({
          total,
          rows: rows.map(({ stockId, productId, ...batch }) => {
            const hit = catalogue.hit({ stockId, productId });
            return hit === null ? null : { hit, ...batch };
          }),
        }));
      }),
    'expiring:readCoverage': () => withWorkspace(({ expiring }) => expiring.coverage()),
  };
}
