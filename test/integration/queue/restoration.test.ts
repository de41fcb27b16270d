// The proof, over real HTTP, of what becomes of a restoration at the training platform: restored, refused because the
// e-mail is taken, not found, and told as perhaps done after an answer of unknown effect; and of the file in which all
// of it can be taken away.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { QueuedUpdate } from '../../../app/contract/queue.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';
import { Caller } from '../../support/training-caller.ts';

// The platform's users, see app/training/data/world.ts.
const deleted = '703' as Id;
const emailTaken = '704' as Id;
const unknown = '799' as Id;
const path = '/api/v3/users/';

let practice: PracticeTerminal;
let platform: TrainingPlatform;
let terminal: Terminal;

beforeEach(async () => {
  practice = await openPracticeTerminal();
  ({ platform, terminal } = practice);
});

afterEach(() => practice.close());

/** The newest update, once it stands where it should. */
async function seeNewest(status: QueuedUpdate['status']): Promise<QueuedUpdate> {
  let newest: QueuedUpdate | undefined;
  await expect
    .poll(
      async () => {
        [newest] = await practice.updates();
        return newest?.status;
      },
      { timeout: 15_000 },
    )
    .toBe(status);
  return newest as QueuedUpdate;
}

async function restore(userId: Id): Promise<void> {
  expect(await terminal.handlers['user:restore']({ userId })).toEqual({ ok: true, value: {} });
}

const arrivals = () => platform.arrivals().filter((arrival) => arrival.path.startsWith(path));

async function attemptsOf(updateId: number) {
  const readRestoration = await terminal.handlers['queue:history']({ updateId });
  return readRestoration.ok ? readRestoration.value : [];
}

test('a deleted user is back, and can sign in again', async () => {
  const caller = new Caller(platform);
  const credentials = { username: 'estoquista@example.com', password: 'praticar-aqui-3' };
  expect((await caller.token(credentials)).status).not.toBe(200);
  await restore(deleted);
  const update = await seeNewest('delivered');
  expect(update).toMatchObject({
    kind: 'restoreUser',
    userId: deleted,
    parkedBecause: null,
    failure: null,
    attempts: 1,
  });
  expect((await caller.token(credentials)).status).toBe(200);
  expect(await attemptsOf(update.id)).toMatchObject([
    { outcome: 'answered', status: 204, isReplayed: false, failure: null },
  ]);
});

test("another user has the e-mail: 400, told with the platform's words", async () => {
  await restore(emailTaken);
  expect(await seeNewest('parked')).toMatchObject({
    parkedBecause: 'refused',
    failure: {
      kind: 'badRequest',
      status: 400,
      code: 'bad_request',
      message: 'Já existe outro usuário com o mesmo e-mail.',
    },
  });
  expect(arrivals()).toHaveLength(1);
});

test('what became of it can be asked for by the user alone, each outcome by its own kind', async () => {
  const readRestoration = async (userId: Id) => {
    const read = await terminal.handlers['user:readRestoration']({ userId });
    return read.ok ? read.value : read.failure;
  };
  expect(await readRestoration(deleted)).toBeNull();
  // The platform's own cashier, who was never deleted: 422 with the field (API v3 §2 "Error body").
  const active = '701' as Id;
  platform.setFaults({ faults: [{ kind: 'answer', status: 403, path: `${path}702`, times: 1 }] });
  for (const userId of [deleted, emailTaken, unknown, active, '702' as Id]) {
    await restore(userId);
  }
  await expect
    .poll(
      async () =>
        (await practice.updates()).filter(({ status }) => status === 'pending' || status === 'inFlight').length,
      { timeout: 15_000 },
    )
    .toBe(0);
  expect(await readRestoration(deleted)).toMatchObject({ kind: 'restoreUser', userId: deleted, status: 'delivered' });
  expect(await readRestoration(emailTaken)).toMatchObject({
    status: 'parked',
    parkedBecause: 'refused',
    failure: { kind: 'badRequest', status: 400 },
  });
  expect(await readRestoration(unknown)).toMatchObject({
    status: 'parked',
    parkedBecause: 'refused',
    failure: { kind: 'notFound', status: 404 },
  });
  expect(await readRestoration(active)).toMatchObject({
    status: 'parked',
    parkedBecause: 'refused',
    failure: { kind: 'unprocessable', status: 422, fields: [{ field: 'userId', validations: [{ type: 'deleted' }] }] },
  });
  expect(await readRestoration('702' as Id)).toMatchObject({
    status: 'parked',
    parkedBecause: 'refused',
    failure: { kind: 'forbidden', status: 403 },
  });
  // Asked for again it is the same wish, and the newest is told.
  await restore(emailTaken);
  expect(await readRestoration(emailTaken)).toMatchObject({ kind: 'restoreUser', userId: emailTaken });
});

test('restored, but answered with 500: it may be done, and a person decides whether it is sent again', async () => {
  platform.setFaults({ faults: [{ kind: 'answer', status: 500, isEffectApplied: true, path, times: 1 }] });
  await restore(deleted);
  const update = await seeNewest('parked');
  expect(update).toMatchObject({ parkedBecause: 'maybeDone', attempts: 1, failure: { kind: 'platformFailed' } });
  expect(
    await new Caller(platform).token({ username: 'estoquista@example.com', password: 'praticar-aqui-3' }),
  ).toMatchObject({ status: 200 });

  // Refused then, it is still perhaps because it was done.
  await restore(deleted);
  await expect
    .poll(async () => (await attemptsOf(update.id)).map(({ status }) => status), { timeout: 15_000 })
    .toEqual([500, 422]);
  expect(await seeNewest('parked')).toMatchObject({ parkedBecause: 'maybeDone', attempts: 2 });
  expect(new Set((await attemptsOf(update.id)).map(({ key }) => key)).size).toBe(2);
});

test('the answer is lost after the effect: the same key brings the first answer again, and it is done once', async () => {
  platform.setFaults({ faults: [{ kind: 'dropAfterEffect', path, times: 1 }] });
  await restore(deleted);
  const update = await seeNewest('delivered');
  const attempts = await attemptsOf(update.id);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['noAnswer', 'answered']);
  expect(attempts[1]).toMatchObject({ isReplayed: true, key: attempts[0]?.key });
});

test('a restoration and a coupon go out side by side, and the file holds both', async () => {
  const productId = String(platform.products.idAt(3)) as Id;
  expect(await terminal.handlers['coupon:switch']({ productId, isEnabled: true })).toMatchObject({ ok: true });
  await restore(deleted);
  await expect
    .poll(async () => (await practice.updates()).map(({ status }) => status), { timeout: 15_000 })
    .toEqual(['delivered', 'delivered']);
  const exported = await terminal.handlers['queue:export']({ after: 0 });
  expect(exported).toMatchObject(
    succeed({
      rows: [
        { update: { kind: 'coupon', productId }, attempts: [{ status: 204 }] },
        { update: { kind: 'restoreUser', userId: deleted }, attempts: [{ status: 204 }] },
      ],
      next: null,
    }),
  );
  // Promise 4: no secret leaves with the file.
  for (const secret of [platform.password, platform.clientSecret, 'Bearer']) {
    expect(JSON.stringify(exported)).not.toContain(secret);
  }
  expect(arrivals()).toHaveLength(1);
});
