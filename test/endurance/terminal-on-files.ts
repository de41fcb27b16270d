import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Http, HttpRequest, HttpResponse, Ports, SettingsFile, Vault } from '../../app/ports.ts';
import type { Provision } from '../../app/terminal/provisioning/provisioning.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../../app/terminal/terminal.ts';
import { Products } from '../../app/training/data/products.ts';
import { TrainingService } from '../../app/training/service.ts';
import { openTrainingRepository } from '../../app/training/data/repository.ts';
import { applications, places, users } from '../../app/training/data/world.ts';
import { createManualClock, settlePromises, type ManualClock } from '../support/manual-clock.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { makeShell, makeVault } from '../support/ports.ts';

const productCount = 60;
const stepMs = 50;

interface TrainingHall {
  readonly service: TrainingService;
  readonly products: readonly Id[];
  /** The platform's answer to the request. */
  answer(request: HttpRequest): Promise<HttpResponse>;
}

/** The key of a request of the queue; null for one that only reads, and for a token request, whose key no file has. */
export function queueKeyOf({ headers, url }: HttpRequest): string | null {
  return url.endsWith('/oauth/token') ? null : (headers['Idempotency-Key'] ?? null);
}

/** A clock moved by hand that shows whole milliseconds, as the machine's wall clock does. */
export function createWholeClock(uptimeMs: number, start: { readonly now?: number } = {}): ManualClock {
  const clock = createManualClock({ ...start, uptimeMs });
  return { ...clock, after: (delayMs, callback) => clock.after(Math.ceil(delayMs), callback) };
}

/** A training platform in memory, with these many products to switch. */
export async function openTrainingHall(clock: ManualClock, switchedProducts: number): Promise<TrainingHall> {
  const products = new Products(productCount, 1);
  const service = new TrainingService(await openTrainingRepository(null, clock.now()), products, () => clock.now());
  return {
    service,
    products: Array.from({ length: switchedProducts }, (_, index) => String(products.idAt(index * 3)) as Id),
    answer: async ({ method, url, headers, body }) => {
      const { pathname, search } = new URL(url);
      const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const delivery = await service.handle({ method, target: pathname + search, headers: lowered, body: body ?? '' });
      return delivery.answer;
    },
  };
}

/** The settings document in a file of the folder. */
export function settingsFileIn(directory: string): SettingsFile {
  const path = join(directory, 'settings.json');
  return {
    read: () => {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as unknown;
      } catch {
        return null;
      }
    },
    write: (document) => {
      try {
        writeFileSync(`${path}.new`, JSON.stringify(document));
        renameSync(`${path}.new`, path);
        return succeed(undefined);
      } catch (error) {
        return fail({
          kind: error instanceof Error && 'code' in error && error.code === 'ENOSPC' ? 'storageFull' : 'storageFailed',
        });
      }
    },
  };
}

/** Opens the terminal in the folder, provisioned for the training platform. */
export function openTerminalOnFiles({
  directory,
  clock,
  random,
  http,
  vault = makeVault(true),
  hub,
  ...options
}: {
  readonly directory: string;
  readonly clock: ManualClock;
  readonly random: SeededRandom;
  readonly http: Http;
  readonly vault?: Vault;
  /** Of the provisioning file. */
  readonly hub?: Provision['hub'];
} & Pick<TerminalOptions, 'openHub'>): Promise<Terminal> {
  const ports: Ports = {
    clock,
    random,
    http,
    vault,
    settingsFile: settingsFileIn(directory),
    shell: makeShell(directory),
  };
  const [{ clientId, clientSecret }] = applications;
  const profile = {
    platformUrl: 'http://127.0.0.1:1',
    clientId,
    companyId: places.companyId,
    stockIds: [places.stockIds[0]],
  };
  return openTerminal(ports, {
    ...options,
    provision: { profile, clientSecret, ...(hub === undefined ? {} : { hub }) },
  });
}

/** Describes an update's change, in a few words. */
export function describeUpdate(
  update:
    | { readonly kind: 'coupon'; readonly productId: Id; readonly isEnabled: boolean }
    | { readonly kind: 'restoreUser'; readonly userId: Id },
): string {
  return update.kind === 'coupon'
    ? `product ${update.productId} ${update.isEnabled ? 'on' : 'off'}`
    : `user ${update.userId} back`;
}

/** Lets time pass until the action has ended. */
export async function whileTimePasses<Value>(clock: ManualClock, action: Promise<Value>): Promise<Value> {
  const progress = { isOver: false };
  const note = (): void => {
    progress.isOver = true;
  };
  action.then(note, note);
  await settlePromises();
  while (!progress.isOver) {
    await clock.advance(stepMs);
  }
  return action;
}

/** Signs the training user in; answers whether the platform granted it. */
export async function signInForTraining(terminal: Terminal, clock: ManualClock): Promise<boolean> {
  const [{ email, password }] = users;
  const signedIn: Result<{ readonly passed: boolean }, unknown> = await whileTimePasses(
    clock,
    terminal.handlers['session:signIn']({ email, password }),
  );
  return signedIn.ok && signedIn.value.passed;
}
