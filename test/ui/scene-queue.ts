// The queue and the coupons of scenes: the real ones over a queue.db of each scene. A scene says what a person asked for
// and what came of each attempt; how its updates stand by then is the repository's word. Nothing is sent: the engine is
// started calm.
import type { Handlers } from '../../app/contract/bridge.ts';
import { wordsOf } from '../../app/catalogue/search/words.ts';
import { createCouponMany } from '../../app/coupons/bulk-switch.ts';
import { createCouponHandlers } from '../../app/coupons/calls.ts';
import { createCouponList } from '../../app/coupons/list.ts';
import { openCouponRepository, type CouponSettingRow } from '../../app/coupons/repository.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, mapResult, succeed } from '../../app/domain/result.ts';
import { createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createConnection } from '../../app/platform/connection.ts';
import type { Clock } from '../../app/ports.ts';
import { createQueueHandlers } from '../../app/queue/calls.ts';
import { startQueue } from '../../app/queue/queue.ts';
import { openQueueRepository, type QueueRepository } from '../../app/queue/repository.ts';
import type { Owner } from '../../app/queue/rows.ts';
import { createQueueTable } from '../../app/queue/table.ts';
import { openRateLimit } from '../../app/rate-limit/rate-limit.ts';
import { documentedRules } from '../../app/rate-limit/rules.ts';
import { openSendLog } from '../../app/rate-limit/send-log.ts';
import { countChanges } from '../../app/storage/change-counter.ts';
import type { Database } from '../../app/storage/database.ts';
import { openQueueDatabase } from '../support/queue-database.ts';
import type { Scene } from './fake-bridge.ts';
import { createStory, fillUp, keepUpdates, newestOf } from './scene-story.ts';
import { usualUpdates } from './scene-updates.ts';

/** What answers the calls of some channels. */
export interface ScenePart {
  readonly handlers: Partial<Handlers>;
  /** How many updates there are of each status, if any has changed since this was asked last. */
  changes?(): Partial<TerminalState['queue']> | null;
  /** The terminal tells another state of the copy. */
  follow?(state: TerminalState): Promise<void>;
  close(): Promise<void>;
}

const shop = { platform: 'https://shop.example.com', companyId: '4821' as Id };
const pause = (): Promise<boolean> => Promise.resolve(true);
const unasked = () => Promise.resolve(fail({ kind: 'unreachable' } as const));

/** Products with a setting, five without one, and those of the updates; the copy has many more. */
function scriptedCopy({ couponRows = 40, updates = usualUpdates }: Scene) {
  const examples = Array.from({ length: couponRows + 5 }, (_, number) => ({
    productId: String(1000 + number) as Id,
    name: `Produto de exemplo ${number + 1}`,
    code: `B-${1000 + number}`,
  }));
  const asked = updates.flatMap((one) =>
    'userId' in one ? [] : [{ productId: one.productId as Id, name: one.name, code: `A-${one.productId}` }],
  );
  const products = new Map([...asked, ...examples].map((product) => [product.productId, product]));
  return {
    nameOf: (productId: Id) => products.get(productId) ?? null,
    products: (term: string) => {
      const wanted = wordsOf(term);
      const fitting = [...products.values()].filter(({ name, code }) => {
        const words = wordsOf(`${name} ${code}`);
        return wanted.every((one) => words.some((word) => word.startsWith(one)));
      });
      return Promise.resolve(succeed({ products: fitting, isCut: false }));
    },
  };
}

/** Three of four are shown on; of what waits to be sent, the platform has the opposite. */
function settingsOf({ couponRows = 40, updates = usualUpdates }: Scene): readonly CouponSettingRow[] {
  const waiting = updates.filter(({ events = ['leaves'] }) => events[0] === 'leaves');
  const asked = new Set(waiting.map((one) => ('userId' in one ? null : one.productId)));
  return Array.from({ length: couponRows }, (_, number) => {
    const productId = String(1000 + number) as Id;
    return { productId, isEnabled: (number % 4 !== 3) !== asked.has(productId) };
  });
}

/** An engine that sends nothing. */
function startCalmQueue(database: Database, repository: QueueRepository, clock: Clock, owner: Owner | null) {
  const random = createNodeRandom();
  const tokens = { user: () => owner?.email ?? null, accessToken: unasked, renew: unasked };
  return startQueue({
    clock,
    random,
    repository,
    rateLimit: openRateLimit(clock, openSendLog(database, shop.platform), () => documentedRules),
    client: { listCouponSettings: unasked, write: unasked },
    connection: createConnection({ clock, random }, () => undefined),
    shop,
    owner: () => owner,
    senders: () => (owner === null ? [] : [{ owner, tokens, isStuck: false }]),
    settingsRead: () => Promise.resolve(),
    isCalm: true,
    log: () => undefined,
  });
}

/** Opens it in this folder. */
export async function openSceneQueue(folder: string, clock: Clock, scene: Scene): Promise<ScenePart> {
  const { nowMs, state, restoring = [], undoForMs } = scene;
  const { session, connection } = state;
  const owner = session.email === null ? null : { ...shop, email: session.email };
  const catalogue = scriptedCopy(scene);
  const database = await openQueueDatabase(folder);
  const coupons = openCouponRepository(database);
  const queueRepository = openQueueRepository(
    database,
    coupons.confirm,
    undefined,
    undefined,
    (productId) => catalogue.nameOf(productId)?.name ?? null,
  );
  const queue = startCalmQueue(database, queueRepository, clock, owner);
  await coupons.replaceAll(shop, settingsOf(scene), { ...queueRepository.noteReading(), leftMs: 0 }, nowMs, pause);
  const play = createStory(queueRepository, state.queue.heldBy === null);
  const maker = owner ?? { ...shop, email: 'ana@example.com' };
  keepUpdates(queueRepository, play, maker, scene);
  fillUp(queueRepository, maker, scene);

  const parts = {
    target: shop,
    shop,
    scope: shop,
    clock,
    pause,
    offsetMinutes: () => -180,
    catalogue,
    coupons,
    sharedCoupons: null,
    isCopied: () => true,
    queue,
    queueRepository,
    owner: () => owner,
    sendsFor: (email: string) => email === owner?.email,
    senderIds: () => (owner === null ? [] : [queueRepository.knownOwnerId(owner)]),
    isOnline: () => connection.state === 'online',
    isReadFresh: () => true,
    areCouponsFresh: () => true,
    readCoupons: () => Promise.resolve(succeed(undefined)),
  };
  const couponList = createCouponList(parts);
  queue.onChange(couponList.forgetSettings);
  const open = { ...parts, couponList, couponMany: createCouponMany(parts), queueTable: createQueueTable(parts) };
  const ofQueue = createQueueHandlers((action) => Promise.resolve(action(open)));
  const ofCoupons = createCouponHandlers((action) => Promise.resolve(action(open)));
  const countOfChanges = countChanges(database, 'updates');
  let told = countOfChanges();
  return {
    handlers: {
      ...ofQueue,
      ...ofCoupons,
      'user:restore': async (input) => {
        const before = newestOf(queueRepository);
        const answer = await ofQueue['user:restore'](input);
        if (newestOf(queueRepository) !== before) {
          play(newestOf(queueRepository), restoring, nowMs);
        }
        return answer;
      },
      'coupon:switchMany': async (input) => {
        const answer = await ofCoupons['coupon:switchMany'](input);
        return mapResult(answer, (switched) => ({ ...switched, ...(undoForMs !== undefined && { undoForMs }) }));
      },
    },
    changes: () => {
      const isSame = countOfChanges() === told;
      told = countOfChanges();
      const { pending, inFlight, parked, delivered } = queue.state();
      return isSame ? null : { pending, inFlight, parked, delivered };
    },
    close: async () => {
      await queue.close();
      database.close();
    },
  };
}
