import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { HttpRequest, HttpResponse } from '../../../app/ports.ts';
import { platformEpochMs } from '../../simulation/referee.ts';
import type { Sender } from '../../simulation/network.ts';
import type { World } from '../../simulation/virtual-clock.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { queueKeyOf } from '../terminal-on-files.ts';
import type { WeekPlatform } from './platform.ts';

type Outcome = Result<HttpResponse, Failure>;

/** `refused`: nothing leaves; `hanging`: nothing arrives; `answersLost`: all arrives, and nothing comes back. */
export const outageKinds = ['refused', 'hanging', 'answersLost'] as const;
export type OutageKind = (typeof outageKinds)[number];

export interface WeekNetwork {
  outage: OutageKind | null;
  send(sender: Sender, request: HttpRequest): Promise<Outcome>;
}

const unreachable: Outcome = fail({ kind: 'unreachable' });

/** Makes the way to the platform. It keeps nothing of an exchange that is over. */
export function createWeekNetwork(world: World, random: SeededRandom, platform: WeekPlatform): WeekNetwork {
  function carry(
    sender: Sender,
    request: HttpRequest,
    outage: OutageKind | null,
    end: (outcome: Outcome) => void,
  ): void {
    const { method, url, headers, body = '' } = request;
    const sentAtMs = world.nowMs();
    platform.call('leave', sentAtMs, queueKeyOf(request), body);
    sender.after(request.timeoutMs, () => {
      end(fail({ kind: 'timedOut' }));
    });
    if (outage === 'hanging') {
      return;
    }
    world.after(random.integer(10, 60), () => {
      const { pathname, search } = new URL(url);
      const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const sent = { method, target: pathname + search, headers: lowered, body };
      const answer = platform.call('arrive', platformEpochMs + world.nowMs(), sent);
      sender.after(random.integer(10, 60), () => {
        // A connection does not outlast the machine's sleep.
        end(outage !== null || sender.sleptSince(sentAtMs) ? unreachable : succeed(answer));
      });
    });
  }

  const network: WeekNetwork = {
    outage: null,
    send: (sender, request) =>
      new Promise((resolve) => {
        const cancel = (): void => {
          end(fail({ kind: 'cancelled' }));
        };
        const end = (outcome: Outcome): void => {
          request.signal?.removeEventListener('abort', cancel);
          resolve(outcome);
        };
        if (request.signal?.aborted === true) {
          cancel();
          return;
        }
        request.signal?.addEventListener('abort', cancel);
        if (network.outage === 'refused') {
          sender.after(random.integer(1, 200), () => {
            end(unreachable);
          });
          return;
        }
        const refusal = request.onLeaving?.() ?? null;
        if (refusal !== null) {
          end(fail(refusal));
          return;
        }
        carry(sender, request, network.outage, end);
      }),
  };
  return network;
}
