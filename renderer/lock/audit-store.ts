import type { StoreApi } from 'zustand/vanilla';
import type { AuditAround, AuditEntry, AuditFilter, AuditGroup } from '../../app/contract/audit.ts';
import { instantOf } from '../../app/domain/days.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { nextDay } from '../formats/times.ts';
import type { MakeStore } from '../stores/make-store.ts';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';

/** The entries that are shown; without a day those of all days, and without an e-mail everybody's. */
export interface AuditQuery {
  readonly group: AuditGroup;
  /** By this machine's calendar, "YYYY-MM-DD". */
  readonly day?: string | undefined;
  /** Null for what was done with nobody signed in. */
  readonly email?: string | null | undefined;
}

interface Around extends Readonly<AuditAround> {
  readonly visit: () => () => boolean;
}

export interface AuditStores {
  readonly list: StoreApi<PagedList<AuditEntry, AuditQuery>>;
  /** What can be chosen. */
  readonly around: StoreApi<Around>;
}

const startOf = (day: string): number => instantOf(day, '00:00', (at) => -new Date(at).getTimezoneOffset());

/** What the terminal is asked for. */
export const filterOf = ({ group, day, email }: AuditQuery): AuditFilter => ({
  group,
  ...(day === undefined ? {} : { from: startOf(day), until: startOf(nextDay(day)) }),
  ...(email === undefined ? {} : { email }),
});

/** Opens it; nothing is read before somebody looks. */
export function createAuditStores(make: MakeStore, bridge: Bridge): AuditStores {
  const around = make<Around>({}, (_set, _get, visit) => ({ people: [], oldestAt: null, visit }));
  const list = createPagedList<AuditEntry, AuditQuery>(
    make,
    async (query, offset, limit) => {
      const isStillHere = around.getState().visit();
      const page = await bridge.call('audit:list', { ...filterOf(query), offset, limit });
      if (page.ok && isStillHere()) {
        const { people, oldestAt } = page.value;
        around.setState({ people, oldestAt });
      }
      return page;
    },
    { group: 'all' },
  );
  return { list, around };
}
