import type { StoreApi } from 'zustand/vanilla';
import type { ExpiringQuery, ExpiringRow } from '../../app/contract/expiring.ts';
import { useLateStore } from '../stores/context.tsx';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';
import type { Stores } from '../stores/stores.ts';

/** Null for a product that the copy does not have any more, or not yet. */
export type ListedBatch = ExpiringRow | null;
type ExpiringStore = StoreApi<PagedList<ListedBatch, ExpiringQuery>>;

function create({ make, bridge }: Stores): ExpiringStore {
  return createPagedList<ListedBatch, ExpiringQuery>(
    make,
    (query, offset, limit) => bridge.call('expiring:list', { ...query, offset, limit }),
    { span: '30', term: '' },
    { keepsRows: true },
  );
}

/** The list of this page, where it was left when it is shown again. */
export const useExpiringList = (): ExpiringStore => useLateStore(create);
