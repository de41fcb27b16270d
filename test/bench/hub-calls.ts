import { setTimeout as sleep } from 'node:timers/promises';
import { createRateShare } from '../../app/hub/rate-share.ts';
import type { HubAddress } from '../../app/hub/address.ts';
import { createHubExchange } from '../../app/hub/hub-exchange.ts';
import { createLentTurns } from '../../app/hub/lent-turns.ts';
import { createSharedRefusal } from '../../app/hub/shared-refusal.ts';
import { connectPg } from '../../app/hosts/hub/pg-connection.ts';
import { createPgLink } from '../../app/hosts/hub/pg-link.ts';
import { createNodeClock, createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { ownTurns } from '../../app/rate-limit/turns.ts';
import { openRateLimit } from '../../app/rate-limit/rate-limit.ts';
import { createMemoryLog } from '../simulation/memory-log.ts';
import { hasPostgres, startPostgres, type Postgres } from '../support/postgres.ts';
import { setUpHub } from '../support/set-up-hub.ts';
import { ownTemporaryFiles } from '../support/temporary-root.ts';
import { spreadOf, type Spread } from './statistics.ts';

const clock = createNodeClock();
const random = createNodeRandom();
const calls = 300;
const warmUpCalls = 20;
/** Of one till of ten: as often as a till asks while a person waits. */
const askEveryMs = 250;
const patientMs = 60_000;
const intent = { ending: null, removed: [] };

/** How long each of so many calls takes, one after another. */
async function timeCalls(call: () => Promise<unknown>, restMs = 0): Promise<readonly number[]> {
  const tookMs: number[] = [];
  for (let made = 0; made < warmUpCalls + calls; made += 1) {
    const fromMs = performance.now();
    await call();
    tookMs.push(performance.now() - fromMs);
    if (restMs > 0) {
      await sleep(restMs * 2 * random.fraction());
    }
  }
  return tookMs.slice(warmUpCalls);
}

/** A till at which a person always waits and never goes, so that every exchange lends a right and writes it. */
function openTill(address: HubAddress, number: number) {
  const link = createPgLink(address);
  const rateShare = createRateShare({ place: 'hub', read: () => null, write: () => undefined }, clock.uptimeMs());
  const turns = createLentTurns(rateShare, () => false);
  const exchange = createHubExchange(
    {
      clock,
      random,
      link,
      account: 'https://platform.example.com',
      key: Buffer.from(address.storeKey, 'base64url'),
      windowMs: () => 60_000,
      self: { id: String(number), name: `Till ${number}`, appVersion: '1.0.0' },
      onTwin: () => undefined,
    },
    rateShare,
    turns,
    createSharedRefusal(),
  );
  const rateLimit = openRateLimit(clock, createMemoryLog(), undefined, { ...ownTurns, next: () => undefined });
  void rateLimit.take('person');
  return {
    ask: async (): Promise<void> => {
      let failure = await exchange.once(rateLimit, intent);
      while (failure === 'contended') {
        failure = await exchange.once(rateLimit, intent);
      }
      if (failure !== null) {
        throw new Error(`the hub answered: ${failure}`);
      }
    },
    close: async (): Promise<void> => {
      rateLimit.close();
      await link.close();
    },
  };
}

async function timeTills(address: HubAddress, count: number, restMs: number): Promise<readonly number[]> {
  const tills = Array.from({ length: count }, (_, number) => openTill(address, number));
  const tookMs = await Promise.all(tills.map(({ ask }) => timeCalls(ask, restMs)));
  await Promise.all(tills.map(({ close }) => close()));
  return tookMs.flat();
}

/** A question that the same server answers, by the same connection, with and without a durable write. */
async function timePeers({ owner }: Postgres): Promise<{ readonly select: Spread; readonly update: Spread }> {
  const connection = await connectPg(owner, AbortSignal.timeout(patientMs));
  const run = (sql: string): Promise<unknown> => connection.query(sql, [], AbortSignal.timeout(patientMs));
  await run('create table if not exists public.bench as select 1 as n');
  const select = spreadOf([await timeCalls(() => run('select 1'))]);
  const update = spreadOf([await timeCalls(() => run('update public.bench set n = n + 1'))]);
  await connection.end(AbortSignal.timeout(patientMs));
  return { select, update };
}

interface HubCalls {
  readonly one: Spread;
  readonly ten: Spread;
  readonly select: Spread;
  readonly update: Spread;
}

/** An exchange with a hub on this machine, with TLS and a disk that is waited for; null where there is no PostgreSQL. */
export async function measureHubCalls(): Promise<HubCalls | null> {
  if (!hasPostgres()) {
    return null;
  }
  ownTemporaryFiles();
  const postgres = await startPostgres({ settings: ['max_connections = 30'] });
  try {
    const { address } = await setUpHub(postgres.owner);
    const one = spreadOf([await timeTills(address, 1, 0)]);
    const ten = spreadOf([await timeTills(address, 10, askEveryMs)]);
    return { one, ten, ...(await timePeers(postgres)) };
  } finally {
    await postgres.remove();
  }
}
