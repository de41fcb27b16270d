import type { StoreApi } from 'zustand/vanilla';
import type { ExpiringQuery, ExpiringRow } from '../../app/contract/expiring.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { useStores } from '../stores/context.tsx';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';

/** Null for a product that the copy does not have any more. */
export type ListedBatch = ExpiringRow | null;
type ExpiringStore = StoreApi<PagedList<ListedBatch, ExpiringQuery>>;

const lists = new WeakMap<Bridge, ExpiringStore>();

function create(bridge: Bridge): ExpiringStore {
  return createPagedList<ListedBatch, ExpiringQuery>(
    (query, offset, limit) => bridge.call('expiring:list', { ...query, offset, limit }),
    { span: '30', term: '' },
    { keepsRows: true },
  );
}

/** The list of this page: made when it is first shown, and where it was left when it is shown again. */
export function useExpiringList(): ExpiringStore {
  const { bridge } = useStores();
  const list = lists.get(bridge) ?? create(bridge);
  lists.set(bridge, list);
  return list;
}
