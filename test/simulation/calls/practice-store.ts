// The practice store of a simulated machine: a small platform of its own at an address of the machine, over a network
// that never fails but for the outage that somebody practises.
import { isChosenSetting } from '../../../app/contract/settings.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import type { PracticePlatform } from '../../../app/ports.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { Shop } from '../cashier-world.ts';
import type { SignInsOfStore } from '../judging.ts';
import { goodConditions, createNetwork, type Network } from '../network.ts';
import { createReferee } from '../referee.ts';
import { secretMark } from '../referee-tokens.ts';
import { drawRules } from '../scenario.ts';
import type { Trace } from '../trace.ts';
import type { World } from '../virtual-clock.ts';

export interface PracticeStore {
  readonly start: () => Promise<PracticePlatform>;
  /** As people see it. */
  readonly shop: Shop;
  readonly signIns: () => SignInsOfStore;
  /** A network of the machine: what is sent to this store's address comes here, all else goes its way. */
  beside(network: Network): Network;
}

const email = 'practice@example.com';
const platformUrl = 'http://127.0.0.1:17000';

type Document = Readonly<Record<string, unknown>>;

const unjudged: ReadonlySet<string> = new Set(['station', 'isTourSeen']);

/**
 * The settings of a person's choice that differ between two documents of a terminal which both say that practice is
 * open (I31). Before there is a profile all but the token is the terminal's. The check station may be switched off by
 * the start before it opens practice, and the tour is no choice.
 */
export function changedInPractice(before: Document | null, after: Document): readonly string[] {
  const isPractice = before?.['mode'] === 'practice' && after['mode'] === 'practice';
  const hasProfile = Array.isArray(before?.['profiles']) && before['profiles'].length > 0;
  return Object.keys(after).filter(
    (name) =>
      isPractice &&
      (hasProfile || name === 'localApiTokenHash') &&
      isChosenSetting(name) &&
      !unjudged.has(name) &&
      JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** Makes the practice store of one machine. */
export function createPracticeStore(world: World, random: SeededRandom, trace: Trace): PracticeStore {
  const password = `${secretMark}password of practice`;
  const clientSecret = `${secretMark}practice client`;
  const profile = { platformUrl, clientId: 'practice', companyId: '9' as Id, stockIds: ['91' as Id] };
  const referee = createReferee(
    {
      nowMs: () => world.nowMs(),
      random: random.fork('platform'),
      trace,
      companyId: profile.companyId,
      stockId: '91',
      clientIds: [profile.clientId],
      clientSecret,
      users: [{ email, password }],
      products: 12,
      refusedProducts: 1,
    },
    drawRules(random.fork('rules')),
  );
  const own = createNetwork(world, random.fork('network'), trace, referee);
  let isDown = false;
  return {
    shop: {
      profile,
      stock: referee.stock,
      products: new Map([[email, referee.stock.productIds]]),
      shared: [],
      quiet: new Set(),
      userIds: ['901'],
    },
    signIns: () => ({ emails: [email], exchanges: own.exchanges, rules: referee.rules.tokens, tokens: referee.tokens }),
    start: () =>
      Promise.resolve({
        ...profile,
        clientSecret,
        email,
        password,
        controlUrl: `${platformUrl}/control`,
        isNetworkDown: () => isDown,
        setNetworkDown: (wanted: boolean) => {
          isDown = wanted;
          own.conditions = { ...goodConditions, isOutage: isDown };
        },
        close: () => Promise.resolve(),
      }),
    beside: (network) => ({
      ...network,
      send: (sender, request) => {
        if (!request.url.startsWith(platformUrl)) {
          return request.url.startsWith('http:')
            ? Promise.resolve(fail({ kind: 'addressNotSecure' }))
            : network.send(sender, request);
        }
        return own.send(sender, request);
      },
    }),
  };
}
