import type { FakeUpdate } from './fake-updates.ts';

/** The queue that a test wants to find when the page opens. */
export interface QueueScene {
  readonly nowMs: number;
  /** Restorations on top of the queue, each at least with its status. */
  readonly restorations?: readonly (Record<string, unknown> & { readonly status: string })[];
}

/** Puts `window.fakeQueue` into the page, for the fake bridge. */
export function installFakeQueue(
  scene: QueueScene & {
    readonly updates: readonly FakeUpdate[];
    readonly state: { readonly queue: { readonly heldBy: string | null } };
  },
): void {
  const minute = 60_000;
  const { nowMs } = scene;
  let revision = 1;
  const coupons = scene.updates.map((update) => ({ kind: 'coupon', ...update }));
  const restorations = (scene.restorations ?? []).map((update, index) => ({
    kind: 'restoreUser',
    id: 100 - index,
    userId: String(703 + index),
    attempts: 1,
    failure: null,
    parkedBecause: null,
    ...update,
  }));
  let updates: FakeUpdate[] = [...restorations, ...coupons].map((update: FakeUpdate) => ({
    email: 'ana@example.com',
    companyId: '4821',
    isOwn: true,
    waitsFor: null,
    isUnderWay: update.status === 'inFlight' && scene.state.queue.heldBy === null,
    createdAt: nowMs - (update.id % 94) * 11 * minute,
    changedAt: nowMs - (update.id % 94) * 9 * minute,
    ...update,
  }));
  const statusBefore = new Map<number, string>();
  const ok = (value: unknown) => ({ ok: true, value });
  const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  /** The fake bridge comes after this. */
  const emit = (name: string, payload: unknown): void =>
    (window as unknown as { fake: { emit(name: string, payload: unknown): void } }).fake.emit(name, payload);
  // The inputs that any call may bring; each channel reads its own.
  type Asked = {
    readonly term?: string;
    readonly limit: number;
    readonly offset: number;
    readonly statuses: readonly string[];
    readonly kind?: string;
    readonly updateId: number;
    readonly updateIds?: readonly number[];
    readonly userId?: string;
    readonly after: number;
  };
  const answer = (channel: string, input: Asked): unknown => {
    switch (channel) {
      case 'queue:list':
      case 'queue:listIds': {
        const term = plain((input.term ?? '').trim());
        const fitting = updates.filter(
          (update) =>
            (input.kind === undefined || update['kind'] === input.kind) &&
            (term === '' ||
              plain([update['productName'], update['productId'], update['userId'], update['email']].join(' ')).includes(
                term,
              )),
        );
        const counts = { pending: 0, inFlight: 0, delivered: 0, parked: 0, superseded: 0, discarded: 0 };
        fitting.forEach(({ status }) => {
          counts[status as keyof typeof counts] += 1;
        });
        const rows = fitting.filter(({ status }) => input.statuses.length === 0 || input.statuses.includes(status));
        const part = rows.slice(input.offset, input.offset + input.limit);
        return ok(
          channel === 'queue:list'
            ? { total: rows.length, counts, isCut: false, rows: part }
            : {
                total: rows.length,
                updateIds: part
                  .filter(({ status }) => ['pending', 'parked'].includes(status))
                  .map((update) => update.id),
              },
        );
      }
      case 'queue:countMany': {
        const chosen = updates.filter((update) => input.updateIds?.includes(update.id));
        const parked = chosen.filter(({ status }) => status === 'parked');
        const pending = chosen.filter(({ status }) => status === 'pending');
        const because = (what: string): number => parked.filter((update) => update['parkedBecause'] === what).length;
        return ok({
          pending: pending.length,
          retryable: parked.length - because('damaged'),
          ofOthers: parked.filter((update) => update['isOwn'] === false && update['parkedBecause'] !== 'damaged')
            .length,
          conflicts: because('conflict'),
          damaged: because('damaged'),
          attempted: [...parked, ...pending].filter(
            (update) => Number(update['attempts']) > 0 && update['parkedBecause'] !== 'refused',
          ).length,
          gone: (input.updateIds?.length ?? 0) - parked.length - pending.length,
        });
      }
      case 'queue:retry':
      case 'queue:retryMany':
      case 'queue:discard':
      case 'queue:discardMany':
      case 'queue:bringBack': {
        const wanted = input.updateIds ?? [input.updateId];
        const action = channel.slice('queue:'.length).replace('Many', '') as 'retry' | 'discard' | 'bringBack';
        const from = { retry: ['parked'], discard: ['parked', 'pending'], bringBack: ['discarded'] }[action];
        const moved = updates
          .filter((update) => wanted.includes(update.id) && from.includes(update.status))
          .map((update) => update.id);
        updates = updates.map((update) => {
          if (!moved.includes(update.id)) return update;
          const before = statusBefore.get(update.id) ?? 'pending';
          const to = { retry: 'pending', discard: 'discarded', bringBack: before }[action];
          statusBefore.set(update.id, update.status);
          return { ...update, status: to, failure: to === 'pending' ? null : update['failure'] };
        });
        revision += 1;
        emit('queue:changed', { revision });
        emit('coupon:changed', { revision });
        const answers: Readonly<Record<string, unknown>> = {
          'queue:discardMany': { updateIds: moved },
          'queue:retryMany': { retried: moved.length },
          'queue:bringBack': { broughtBack: moved.length },
        };
        return ok(answers[channel] ?? {});
      }
      case 'user:restore':
        updates = [
          {
            kind: 'restoreUser',
            id: 200,
            status: 'pending',
            userId: input.userId,
            attempts: 0,
            failure: null,
            parkedBecause: null,
            email: 'ana@example.com',
            companyId: '4821',
            isOwn: true,
            waitsFor: null,
            isUnderWay: false,
            createdAt: nowMs,
            changedAt: nowMs,
          },
          ...updates,
        ];
        return ok({});
      case 'user:readRestoration':
        return ok(
          updates.find((update) => update['kind'] === 'restoreUser' && update['userId'] === input.userId) ?? null,
        );
      case 'queue:export':
        return ok(
          input.after === 0
            ? { rows: updates.slice(0, 1).map((update) => ({ update, attempts: [] })), next: 1 }
            : { rows: [], next: null },
        );
      default:
        return undefined;
    }
  };
  Object.assign(window, { fakeQueue: answer });
}
