import { accountsNow, commonOf, covers, unionOf, type Accounts } from './accounts.ts';
import { shareSettlesMs, type Plan } from './document.ts';
import type { HubMemory } from './loss.ts';

/** A terminal's memory of the hub over a restart. */
export interface StoredMemory {
  /** The slots that it may use without asking, and when it is cut off. */
  readonly own: number;
  readonly share: number;
  /** At which accounts it may use them (H17); an earlier version says nothing of it. */
  readonly countsAt?: Accounts | undefined;
  /** How many of its writes were answered. */
  readonly answered: number;
  readonly memory: HubMemory;
  /** The hub at which they were; absent where an earlier version wrote it. */
  readonly answeredAt?: string | undefined;
}

export interface HubMemoryRepository {
  /** Which hub this is. */
  readonly place: string;
  /** Null on a first start, or when nothing can be read. */
  read(): StoredMemory | null;
  /** At which accounts requests counted last, by whichever id it took part (H17); undefined where none is known. */
  countedAt?(): Accounts | undefined;
  /** Durable when it returns. Throws StorageError. */
  write(stored: StoredMemory): void;
}

/** Keeps the slots that this terminal may use; they are lowered before a write, and raised after its answer (H2). */
export function createRateShare(repository: HubMemoryRepository, startMs: number, account: string | null = null) {
  const stored = repository.read();
  const here = account === null ? null : [account];
  const left = repository.countedAt?.();
  // What it has sent by an id that it has no more still counts where it did.
  // mutant: who takes part by another id leaves the account before at once (H17)
  let countsAt = stored === null ? unionOf([here, left === undefined ? here : left]) : (stored.countsAt ?? null);
  // mutant: what was kept at one account is used at another (H17)
  const mayUse = covers(countsAt, here);
  let { own, share } = stored !== null && mayUse ? stored : { own: 0, share: 0 };
  let answered = stored?.answered ?? 0;
  let memory = stored?.memory ?? null;
  let answeredAt = stored?.answeredAt ?? repository.place;
  let rights = own;
  let offered = { share, sinceMs: startMs };
  let keptKey = '';

  function keep(): void {
    if (memory === null) {
      return;
    }
    const shares = Object.entries(memory.document.members).map(([id, member]) => [id, member.share, member.windowMs]);
    const key = JSON.stringify([own, share, memory.document.epoch, shares, answeredAt, countsAt]);
    if (key !== keptKey) {
      repository.write({ own, share, countsAt, answered, memory, answeredAt });
      keptKey = key;
    }
  }

  return {
    rights: () => rights,
    own: () => own,
    share: () => share,
    /** At which accounts its slots count; `recorded` is what the hub says of it (H17). */
    accountsNow: (recorded: Accounts | undefined, isOver: boolean) =>
      accountsNow(account, [countsAt, recorded], isOver),
    answered: () => answered,
    /** Whether this hub has answered a write, and not only another one from which this terminal has moved. */
    isKnownHere: () => answered > 0 && answeredAt === repository.place,
    memory: () => memory,
    /** Before the write. Throws StorageError. */
    lower: (plan: Pick<Plan, 'rights' | 'own' | 'share' | 'countsAt' | 'lent'>): void => {
      rights = Math.min(rights, plan.rights - (plan.lent === null ? 0 : 1));
      own = Math.min(own, plan.own);
      // mutant: the share is lowered after the write (H2)
      share = Math.min(share, plan.share);
      countsAt = commonOf(countsAt, plan.countsAt);
      // mutant: the share is not on the disk (H10)
      keep();
    },
    /** After its answer. Throws StorageError, and then nothing is raised. */
    raise: (plan: Plan, version: number, writes: number, nowMs: number, isTrusted: boolean): void => {
      const before = { own, share, countsAt, answered, memory, offered, answeredAt };
      if (plan.share !== offered.share || !isTrusted) {
        offered = { share: plan.share, sinceMs: nowMs };
      }
      answered = writes;
      answeredAt = repository.place;
      memory = { version, document: plan.document };
      ({ own, countsAt } = plan);
      share = nowMs - offered.sinceMs >= shareSettlesMs ? plan.share : Math.min(share, plan.share);
      try {
        keep();
      } catch (error) {
        ({ own, share, countsAt, answered, memory, offered, answeredAt } = before);
        throw error;
      }
      rights = plan.rights;
    },
  };
}

export type RateShare = ReturnType<typeof createRateShare>;
