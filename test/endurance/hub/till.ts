// A till's part in a shop's hub, as a process: its own queue.db, keychain, rate limit and membership. Whoever started it
// plays the platform, and hears when a request leaves and how long a person waited for it.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { succeed } from '../../../app/domain/result.ts';
import { createHubMembership, hubAddressName } from '../../../app/hub/membership.ts';
import { openHub } from '../../../app/hub/open-hub.ts';
import { readHubAddress } from '../../../app/hub/address.ts';
import { createPgLink } from '../../../app/hosts/hub/pg-link.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node/node-ports.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { parseJson } from '../../../app/domain/json.ts';
import type { Lane } from '../../../app/rate-limit/lanes.ts';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { documentedRules } from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { openWhole } from '../../../app/storage/recover.ts';
import { queueOptions } from '../../../app/terminal/workspace/queue-migrations.ts';

/** To the till: `status` is null where no answer comes. */
export type ToTill =
  | { readonly kind: 'answer'; readonly id: number }
  | { readonly kind: 'person' }
  | { readonly kind: 'background'; readonly isOn: boolean };

/** From it. */
export type FromTill =
  | { readonly kind: 'leaves'; readonly id: number }
  | { readonly kind: 'waited'; readonly ms: number }
  | {
      readonly kind: 'state';
      readonly mode: string;
      readonly failure: string | null;
      readonly members: readonly string[];
    };

const [folder = '', name = '', planted] = process.argv.slice(2);
const account = 'https://platform.example.com';
const answerWithinMs = 20_000;

const [clock, random] = [createNodeClock(), createNodeRandom()];
const vaultFile = join(folder, 'address');
const kept = (): string | null => (existsSync(vaultFile) ? readFileSync(vaultFile, 'utf8') : null);
const read = readHubAddress(kept() ?? '');
if (!read.ok) throw new Error(read.failure);
const { host, port, database: databaseName } = read.value;
const membership = createHubMembership({
  ports: {
    clock,
    random,
    vault: {
      read: (entry) => Promise.resolve(succeed(entry === hubAddressName ? kept() : null)),
      write: (_entry, secret) => {
        writeFileSync(`${vaultFile}.new`, secret);
        renameSync(`${vaultFile}.new`, vaultFile);
        return Promise.resolve(succeed(undefined));
      },
      remove: () => Promise.resolve(succeed(undefined)),
    },
  },
  version: '1.0.0',
  settings: {
    get: () => ({ hub: { terminalId: name, terminalName: name, host, port, database: databaseName } }),
    change: () => succeed(undefined),
  },
  openHub: createPgLink,
});
const database = await openWhole(join(folder, 'queue.db'), queueOptions);
const hub = openHub({ clock, random }, database, {
  platform: account,
  hub: planted === 'selfish' ? undefined : membership.target(),
  rateLimitRules: () => documentedRules,
});
const rateLimit = openRateLimit(
  clock,
  openSendLog(database, account),
  () => ({ ...documentedRules, windowMs: hub?.member.windowMs() ?? documentedRules.windowMs }),
  hub?.member.turns,
);
hub?.member.start(rateLimit);

const tell = (message: FromTill): void => {
  process.send?.(message);
};
let requests = 0;
const background = { isOn: false };
const answered = new Map<number, () => void>();

const scope = '1/1';
/** Persons that wait for the figure of a product which nobody else asks for, until another till has asked (H15). */
const waiting = new Map<string, AbortController>();
hub?.texts.listen('figures', ({ text }) => {
  for (const productId of parseJson(text) as readonly string[]) waiting.get(productId)?.abort();
});

/** One request; answers once it is answered or given up. */
async function ask(lane: Lane): Promise<void> {
  const fromMs = clock.uptimeMs();
  const productId = String(Math.ceil(random.fraction() * Number.MAX_SAFE_INTEGER)) as Id;
  const controller = new AbortController();
  if (lane === 'person') waiting.set(productId, controller);
  const taken = await (lane === 'person'
    ? rateLimit.take(lane, controller.signal, { kind: 'balance', subject: productId, figure: { scope, productId } })
    : rateLimit.take(lane));
  waiting.delete(productId);
  if (lane === 'person') tell({ kind: 'waited', ms: clock.uptimeMs() - fromMs });
  if (!taken.ok) return;
  const others = lane === 'person' ? rateLimit.wantedFigures(scope) : [];
  const slot = taken.value;
  if (slot.leave() !== null) {
    slot.giveBack();
    return;
  }
  requests += 1;
  const id = requests;
  tell({ kind: 'leaves', id });
  await new Promise<void>((resolve) => {
    const timer = clock.after(answerWithinMs, () => {
      answered.delete(id);
      slot.abandon();
      resolve();
    });
    answered.set(id, () => {
      timer.cancel();
      answered.delete(id);
      slot.settle();
      const atMs = hub?.texts.nowMs() ?? null;
      if (others.length > 0 && atMs !== null) {
        void hub?.texts.publish('figures', { text: JSON.stringify(others), atMs });
      }
      resolve();
    });
  });
}

async function copy(): Promise<void> {
  while (background.isOn) await ask('catalogue');
}

process.on('message', (message: ToTill) => {
  if (message.kind === 'answer') {
    answered.get(message.id)?.();
  } else if (message.kind === 'person') {
    void ask('person');
  } else if (message.isOn !== background.isOn) {
    background.isOn = message.isOn;
    void copy();
  }
});
setInterval(() => {
  const state = hub?.member.state();
  tell({
    kind: 'state',
    mode: state?.mode ?? '',
    failure: state?.failure ?? null,
    members: Object.keys(state?.document?.members ?? {}),
  });
}, 500);
process.on('disconnect', () => {
  process.exit();
});
