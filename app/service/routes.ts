// Which operation a method and path mean, and which headers each needs (API v3 §1, §4).
import type { Readings } from './readings.ts';
import { readId } from './query.ts';

export type Route =
  | { readonly operation: 'token' }
  | { readonly operation: 'scopes' }
  | { readonly operation: 'createCategory' }
  | { readonly operation: 'listCoupons' }
  | { readonly operation: 'updateCoupons' }
  | { readonly operation: 'listProducts'; readonly stockId: bigint }
  | { readonly operation: 'readBalance'; readonly stockId: bigint; readonly productId: bigint }
  | { readonly operation: 'listBatches'; readonly stockId: bigint; readonly productId: bigint }
  | { readonly operation: 'restoreUser'; readonly userId: bigint };

export type Operation = Route['operation'];

/** The routes of a company's resources. */
export type CompanyRoute = Exclude<Route, { readonly operation: 'token' | 'scopes' | 'createCategory' }>;

/** The routes of a path by their methods; null for a path that no operation has. */
function routesAt(path: string, readings: Readings): Readonly<Record<string, Route>> | null {
  switch (path) {
    case '/oauth/token':
      return { POST: { operation: 'token' } };
    case '/oauth/scopes':
      return { [readings.scopesMethod]: { operation: 'scopes' } };
    case '/api/v3/categories':
      return { POST: { operation: 'createCategory' } };
    case '/api/v3/products/consumption-coupons':
      return { GET: { operation: 'listCoupons' }, PUT: { operation: 'updateCoupons' } };
  }
  const ofUser = /^\/api\/v3\/users\/(\d+)$/.exec(path);
  const userId = readId(ofUser?.[1] ?? '');
  if (userId !== null) {
    return { POST: { operation: 'restoreUser', userId } };
  }
  const ofStock = /^\/api\/v3\/stocks\/(\d+)\/products(?:\/(\d+)\/(balance|batches))?$/.exec(path);
  const stockId = readId(ofStock?.[1] ?? '');
  if (ofStock === null || stockId === null) {
    return null;
  }
  if (ofStock[3] === undefined) {
    return { GET: { operation: 'listProducts', stockId } };
  }
  const productId = readId(ofStock[2] ?? '');
  const operation = ofStock[3] === 'balance' ? 'readBalance' : 'listBatches';
  return productId === null ? null : { GET: { operation, stockId, productId } };
}

/** The route; `unknown` for a path that no operation has, or the methods that the path does have. */
export function routeOf(
  method: string,
  path: string,
  readings: Readings,
): Route | 'unknown' | { readonly allowed: readonly string[] } {
  const routes = routesAt(path, readings);
  return routes === null ? 'unknown' : (routes[method] ?? { allowed: Object.keys(routes) });
}
