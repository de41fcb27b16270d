import { isTokenOf } from '../platform/access-token.ts';
import { pause } from '../storage/pause.ts';
import type { Delay } from './delay.ts';
import { createKeyDoubt } from './key-doubt.ts';
import type { QueuePorts } from './queue-ports.ts';
import { createSender } from './sender.ts';
import { createSettingsReader } from './settings-reader.ts';
import { changedAtOnce } from './store.ts';

/** Makes what does one piece of work. It answers whether there may be more right away. */
export function createStep(ports: QueuePorts, delay: Delay, changed: () => void, signal: AbortSignal) {
  const { clock, random, store, rateLimit, tokens, connection } = ports;
  const read = createSettingsReader(ports, delay, changed, signal);
  const keyDoubt = createKeyDoubt(ports);
  const send = createSender(ports, delay, keyDoubt, changed, signal);
  // True while the loop waits for its turn at the rate limit.
  let isTaking = false;

  function tellRateLimit(): void {
    const { limit, used, reserve, pausedForMs } = rateLimit.state();
    delay.setHold(pausedForMs > 0 || used + reserve >= limit ? 'rateLimit' : null);
  }

  // Another's 429 may pause what is waiting already.
  rateLimit.onChange(() => {
    if (isTaking) {
      tellRateLimit();
    }
  });

  return async (): Promise<boolean> => {
    const owner = ports.owner();
    if (owner === null) {
      delay.setHold('signIn');
      return false;
    }
    const ownerId = store.ownerId(owner);
    const work = store.nextWork(ownerId, clock.now());
    if (work === 'nothing') {
      delay.setHold(null);
      return false;
    }
    const sealed = typeof work === 'object' ? work.resend : null;
    delay.restAtLeast(store.mayArriveForMs(ownerId, clock.now()));
    if (ports.isCalm) {
      delay.setHold('safeMode');
      return false;
    }
    if (connection.outage() !== null) {
      delay.setHold('offline');
      return false;
    }
    if (delay.mustWait(sealed !== null)) {
      delay.endTooEarly();
      return false;
    }
    const parked = sealed === null ? store.parkOld(ownerId, clock.now()) : 0;
    if (parked > 0) {
      changed();
      return parked < changedAtOnce || pause(clock, signal);
    }
    if (work === 'read') {
      return read(ownerId, owner);
    }
    if (sealed !== null) {
      if (keyDoubt.needsProof(sealed.id) && !(await read(ownerId, owner))) {
        return false;
      }
      keyDoubt.end(sealed.id);
    }
    const token = await tokens.accessToken();
    if (!token.ok) {
      delay.backOffAfter(token.failure);
      return false;
    }
    tellRateLimit();
    isTaking = true;
    const slot = await rateLimit.take('queue', signal).finally(() => {
      isTaking = false;
    });
    if (!slot.ok) {
      delay.backOffAfter(slot.failure);
      return false;
    }
    try {
      // Asked for while the slot was waited for.
      if (delay.isResting() && typeof store.nextWork(ownerId, clock.now()) !== 'object') {
        delay.endTooEarly();
        delay.setHold(null);
        return false;
      }
      const current = ports.owner();
      // The user may have changed, and back again, while a reading, a token or the slot was waited for: the token
      // counts, too.
      const isStillOwner =
        current !== null && store.ownerId(current) === ownerId && isTokenOf(token.value, owner.email);
      const request = isStillOwner ? store.seal(ownerId, random.uuid(), clock.now()) : null;
      if (request !== null) {
        delay.setHold(null);
        await send(ownerId, request, token.value, owner.email, slot.value);
      }
      return true;
    } finally {
      slot.value.giveBack(); // Nothing was sent; a slot whose request has left is ended already.
    }
  };
}
