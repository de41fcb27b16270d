import { isTokenOf } from '../platform/access-token.ts';
import type { Timer } from '../ports.ts';
import { pause } from '../storage/pause.ts';
import { chooseWork, type KnownSender } from './choice.ts';
import type { Delay } from './delay.ts';
import type { QueuePorts } from './queue-ports.ts';
import { createKeyDoubt, createSender } from './sender.ts';
import { createSettingsReader } from './settings-reader.ts';
import { holdUp, type SignInHolds, type Troubles } from './sign-in-holds.ts';
import { changedAtOnce } from './repository.ts';

/** A turn that takes longer is told. */
const toldAfterMs = 1_000;

/** Says why nothing goes out while a reading or a request waits for its slot. */
function tellTurns(
  { clock, rateLimit }: Pick<QueuePorts, 'clock' | 'rateLimit'>,
  delay: Pick<Delay, 'hold' | 'setHold'>,
  signal: AbortSignal,
): void {
  let later: Timer | null = null;

  function tell(): void {
    later?.cancel();
    if (signal.aborted) {
      return;
    }
    const turn = rateLimit.read().waiting.find(({ lane }) => lane === 'queue');
    const { limit, used, reserve, pausedForMs } = rateLimit.state();
    // Where tills share the limit, this one's own slots do not tell how many there are left for it.
    const toldInMs = turn === undefined ? 0 : turn.sinceMs + toldAfterMs - clock.uptimeMs();
    if (turn !== undefined && (toldInMs <= 0 || pausedForMs > 0 || used + reserve >= limit)) {
      delay.setHold('rateLimit');
      return;
    }
    if (delay.hold() === 'rateLimit') {
      delay.setHold(null);
    }
    later = turn === undefined ? null : clock.after(toldInMs, tell);
  }

  // Another's 429 may pause what is waiting already.
  rateLimit.onChange(tell);
}

/** Makes what does one piece of work. It answers whether there may be more right away. */
export function createStep(
  ports: QueuePorts,
  delay: Delay,
  holds: SignInHolds,
  troubles: Troubles,
  changed: () => void,
  signal: AbortSignal,
) {
  const { clock, random, repository, rateLimit, connection } = ports;
  const read = createSettingsReader(ports, delay, { holds, troubles }, changed, signal);
  const keyDoubt = createKeyDoubt(ports);
  const send = createSender(ports, delay, { holds, troubles, keyDoubt }, changed, signal);
  tellTurns(ports, delay, signal);

  /** Who can send now: whoever is signed in, and those whose sign-in is kept and who have asked for something. */
  function sendersNow(): readonly KnownSender[] {
    const current = ports.owner();
    return ports
      .senders()
      .map((sender) => ({
        ...sender,
        ownerId:
          sender.owner.email === current?.email
            ? repository.ownerId(sender.owner)
            : repository.knownOwnerId(sender.owner),
      }))
      .filter(({ ownerId }) => ownerId !== 0 && !holds.isHeld(ownerId));
  }

  return async (): Promise<boolean> => {
    const waitsMs = ports.waitsMs?.() ?? 0;
    // mutant: what waits goes out before it is known what this till has settled (Q15)
    if (waitsMs > 0) {
      delay.lookAgainAfter(waitsMs);
      return false;
    }
    const chosen = chooseWork(ports, sendersNow(), troubles, delay.lookAgainAfter);
    if (chosen === null) {
      delay.setHold(null);
      return false;
    }
    const { sender, work, ahead } = chosen;
    const { ownerId, owner, tokens } = sender;
    const sealed = typeof work === 'object' ? work.resend : null;
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
    const parked = sealed === null ? repository.parkOld(ownerId, clock.now()) : 0;
    if (parked > 0) {
      changed();
      return parked < changedAtOnce || pause(clock, signal);
    }
    if (work === 'read') {
      return read(sender, ahead);
    }
    if (sealed !== null) {
      if (keyDoubt.needsProof(sealed.id)) {
        const goesOn = await read(sender, ahead);
        if (!goesOn || holds.isHeld(ownerId)) {
          return goesOn;
        }
      }
      keyDoubt.end(sealed.id);
    }
    const token = await tokens.accessToken();
    if (!token.ok) {
      return holdUp({ holds, troubles, delay }, ownerId, token.failure);
    }
    holds.noteToken(ownerId);
    const slot = await rateLimit.take('queue', signal);
    if (!slot.ok) {
      delay.backOffAfter(slot.failure);
      return false;
    }
    try {
      // Asked for while the slot was waited for.
      if (delay.isResting() && typeof repository.nextWork(ownerId, clock.now(), ahead) !== 'object') {
        delay.endTooEarly();
        delay.setHold(null);
        return false;
      }
      // The user may have changed, and back again, while a reading, a token or the slot was waited for: the token
      // counts, too.
      const isStillSender =
        sendersNow().some((one) => one.ownerId === ownerId) &&
        [owner.email, tokens.user()].every((email) => isTokenOf(token.value, email));
      // mutant: a key of more than 100 characters (I8)
      const request = isStillSender ? repository.seal(ownerId, random.uuid(), clock.now(), ahead) : null;
      if (request !== null) {
        delay.setHold(null);
        await send(sender, request, token.value, slot.value);
      }
      return true;
    } finally {
      slot.value.giveBack(); // Nothing was sent; a slot whose request has left is ended already.
    }
  };
}
