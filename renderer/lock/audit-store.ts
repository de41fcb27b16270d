import type { StoreApi } from 'zustand/vanilla';
import type { AuditEntry, AuditGroup } from '../../app/contract/audit.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { MakeStore } from '../stores/make-store.ts';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';

export type AuditStore = StoreApi<PagedList<AuditEntry, AuditGroup>>;

/** Opens it; nothing is read before somebody looks. */
export function createAuditList(make: MakeStore, bridge: Bridge): AuditStore {
  return createPagedList<AuditEntry, AuditGroup>(
    make,
    (group, offset, limit) => bridge.call('audit:list', { group, offset, limit }),
    'all',
  );
}
