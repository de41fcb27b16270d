import type { StoreApi } from 'zustand/vanilla';
import type { AuditEntry, AuditGroup } from '../../app/contract/audit.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Wall } from '../bridge/bridge.ts';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';

export type AuditMirror = StoreApi<PagedList<AuditEntry, AuditGroup>>;

/** Opens it; nothing is read before somebody looks. */
export function createAuditList(wall: Wall): AuditMirror {
  return createPagedList<AuditEntry, AuditGroup>(
    (group, offset, limit) => wall.call('audit:list', { group, offset, limit }),
    'all',
  );
}

/** Far more than the list can hold. */
const mostPages = 100;

/** The file's parts in their order. Fails as `audit:export` does, or with `answerTooLarge`. */
export async function readAuditExport(wall: Wall): Promise<Result<readonly string[], Failure>> {
  const parts: string[] = [];
  let after = 0;
  while (parts.length < mostPages) {
    const page = await wall.call('audit:export', { after });
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
