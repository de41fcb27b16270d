import { isRefusal, type Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import type { CallOptions, CouponSetting, PlatformClient } from '../platform/client.ts';
import type { Clock } from '../ports.ts';
import { pause } from '../storage/pause.ts';
import type { KnownSender } from './choice.ts';
import type { Delay } from './delay.ts';
import type { QueuePorts } from './queue-ports.ts';
import { holdUp, type SignInHolds, type Troubles } from './sign-in-holds.ts';
import { changedAtOnce } from './repository.ts';

/**
 * Reads all settings (API v3 §4.6). `asked` is what `note` said when the request left, and the uptime of that. Fails as
 * the call does.
 */
export async function readSettings<Call extends 'listCouponSettings' | 'listSettingsOfUnnamedCompany', Note>(
  { clock, client }: { readonly clock: Clock; readonly client: Pick<PlatformClient, Call> },
  name: Call,
  note: () => Note,
  call: Pick<CallOptions, 'lane' | 'signal' | 'user' | 'tokens'>,
): Promise<{
  readonly reading: Result<readonly CouponSetting[], Failure>;
  readonly asked: Note & { readonly leftMs: number };
}> {
  const noteNow = () => ({ ...note(), leftMs: clock.uptimeMs() });
  let asked = noteNow();
  const onLeaving = (): void => {
    // It may have waited long for its slot, and knows of what happened meanwhile.
    asked = noteNow();
  };
  const reading = await client[name]({}, { ...call, onLeaving });
  return { reading, asked };
}

/** Makes what reads the settings and compares what waits with them. It answers whether the loop may go on. */
export function createSettingsReader(
  { clock, repository, client, settingsRead, log }: QueuePorts,
  delay: Delay,
  { holds, troubles }: { readonly holds: SignInHolds; readonly troubles: Troubles },
  changed: () => void,
  signal: AbortSignal,
) {
  let unreadableReadings = 0;

  return async ({ ownerId, owner, tokens }: KnownSender, ahead: string): Promise<boolean> => {
    const note = () => ({
      ...repository.noteReading(),
      askedAt: clock.now(),
      unread: repository.unread(ownerId, clock.now(), ahead),
    });
    const call = { lane: 'queue', signal, user: owner.email, tokens } as const;
    // Never without the company: what another one has is no reason to hold an update for done, or for a conflict.
    // mutant: the settings that wait are compared with an unnamed company's (I2, I3, I4, I9)
    const { reading, asked } = await readSettings({ clock, client }, 'listCouponSettings', note, call);
    const { askedAt, unread } = asked;
    if (reading.ok) {
      unreadableReadings = 0;
      holds.noteToken(ownerId);
      await settingsRead(owner, reading.value, asked);
      const settings = new Map(reading.value.map((setting) => [setting.productId, setting.isEnabled]));
      for (let from = 0; from < unread.length; from += changedAtOnce) {
        if (from > 0 && !(await pause(clock, signal))) {
          break;
        }
        repository.applyReading(ownerId, settings, askedAt, unread.slice(from, from + changedAtOnce));
      }
      changed();
      return true;
    }
    if (reading.failure.kind === 'userChanged') {
      // Nothing left: whoever is signed in now has work of their own.
      return true;
    }
    unreadableReadings +=
      reading.failure.kind === 'answerMalformed' || reading.failure.kind === 'answerTooLarge' ? 1 : 0;
    if (isRefusal(reading.failure) || unreadableReadings >= 3) {
      // This platform never tells its settings to this user: nothing can be compared, and a person has asked for the
      // change.
      log('settings cannot be read', { kind: reading.failure.kind });
      repository.skipReading(ownerId, askedAt);
      return true;
    }
    return holdUp({ holds, troubles, delay }, ownerId, reading.failure);
  };
}
