// What another till delivered before this till's own delivery of the same product, and is heard after it: V2 of
// shared-coupons.ts over the real rows of the queue.
import { expect, onTestFinished, test } from 'vitest';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import { openSharedCoupons, type SharedCoupons } from '../../../app/coupons/shared-coupons.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { openQueueRepository } from '../../../app/queue/repository.ts';
import { createHubRegister, hubAddress } from '../../support/hub-register.ts';
import { openHubTexts } from '../../support/hub-texts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const scope = { platform: 'https://platform.example.com', companyId: '7' as Id };
const product = '4' as Id;
const minuteMs = 60_000;
const rest = (): Promise<boolean> => Promise.resolve(true);

/** A till with a queue.db of its own at the hub, which it reaches while `hub.isUp`. */
async function till(
  clock: ReturnType<typeof createManualClock>,
  register: ReturnType<typeof createHubRegister>,
  name: string,
) {
  const hub = { isUp: true };
  const database = await openQueueDatabase(temporaryDirectory());
  const coupons = openCouponRepository(database);
  let shared: SharedCoupons | null = null;
  const queueRepository = openQueueRepository(database, (owner, settings, mark) => {
    coupons.confirm(owner, settings, mark);
    shared?.noteDelivered(settings);
  });
  const open = (): void => {
    shared?.close();
    shared = openSharedCoupons({
      texts: openHubTexts(clock, register.open(hubAddress), name, () =>
        hub.isUp ? { epoch: 'one', loMs: 0, hiMs: clock.uptimeMs() } : null,
      ),
      clock,
      scope,
      till: name,
      isMember: () => true,
      queueRepository,
      coupons,
      onChange: () => undefined,
    });
  };
  open();
  onTestFinished(() => shared?.close());
  const ownerId = queueRepository.ownerId({ ...scope, email: 'bia@example.com' });
  const read = { ...queueRepository.noteReading(), leftMs: clock.uptimeMs() };
  await coupons.replaceAll(scope, [{ productId: product, isEnabled: false }], read, clock.now(), rest);
  return {
    hub,
    open,
    confirmed: () => coupons.confirmed(scope, product),
    deliver: (isEnabled: boolean): void => {
      const now = clock.now();
      queueRepository.enqueue({ ownerId, productId: product, isEnabled, seen: !isEnabled, isSeenFresh: true, now });
      const request = queueRepository.seal(ownerId, `${name} ${now}`, now) ?? expect.unreachable('nothing to send');
      const sent = { ownerId, requestId: request.id, attemptId: queueRepository.beginAttempt(request.id, now) };
      queueRepository.settle(sent, { failure: null } as never, { step: 'delivered' }, now);
    },
  };
}

test.each(['at once', 'late', 'again after a start'])(
  'V2: what another till delivered before this one, and is heard %s, takes nothing back',
  async (how) => {
    const clock = createManualClock();
    const register = createHubRegister(clock);
    const [one, two] = [await till(clock, register, 'one'), await till(clock, register, 'two')];
    await clock.advance(minuteMs);
    two.hub.isUp = how !== 'late';
    one.deliver(true);
    await clock.advance(minuteMs);
    two.deliver(false);
    await clock.advance(minuteMs);
    two.hub.isUp = true;
    if (how === 'again after a start') {
      two.open();
    }
    await clock.advance(15 * minuteMs);
    expect([two.confirmed(), how === 'late' ? false : one.confirmed()]).toEqual([false, false]);
  },
);
