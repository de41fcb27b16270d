import type { StoreApi } from 'zustand/vanilla';
import type { AuditEntry, AuditGroup } from '../../app/contract/audit.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';

export type AuditStore = StoreApi<PagedList<AuditEntry, AuditGroup>>;

/** Opens it; nothing is read before somebody looks. */
export function createAuditList(bridge: Bridge): AuditStore {
  return createPagedList<AuditEntry, AuditGroup>(
    (group, offset, limit) => bridge.call('audit:list', { group, offset, limit }),
    'all',
  );
}

/** Far more than the list can hold. */
const maxPages = 100;

/** The file's parts in their order. Fails as `audit:export` does, or with `answerTooLarge`. */
export async function readAuditExport(bridge: Bridge): Promise<Result<readonly string[], Failure>> {
  const parts: string[] = [];
  let after = 0;
  while (parts.length < maxPages) {
    const page = await bridge.call('audit:export', { after });
    if (!page.ok) {
      return page;
    }
    parts.push(page.value.text);
    if (page.value.next === null) {
      return succeed(parts);
    }
    after = page.value.next;
  }
  return fail({ kind: 'answerTooLarge' });
}
