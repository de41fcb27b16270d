import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTrainingPlatform, type TrainingOptions } from '../../../app/training/server.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { Caller, couponsPath, readProducts, type TokenAnswer } from '../../support/training-caller.ts';

async function start(directory: string, options: Partial<TrainingOptions> = {}): Promise<Caller> {
  const caller = new Caller(await startTrainingPlatform({ directory, productCount: 100, ...options }));
  onTestFinished(() => caller.platform.close());
  return caller;
}

describe('after a restart', () => {
  it('both tokens are still good', async () => {
    const directory = temporaryDirectory();
    const before = await start(directory);
    const tokens = await before.signIn();
    await before.platform.close();
    const after = await start(directory);
    after.accessToken = before.accessToken;
    expect((await after.list()).status).toBe(200);
    const renewed = await after.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    expect(renewed.status).toBe(200);
    expect((renewed.body as unknown as TokenAnswer).access_token).not.toBe(tokens.access_token);
  });

  it('settings hold and keys are answered from what was kept', async () => {
    const directory = temporaryDirectory();
    const before = await start(directory);
    await before.signIn();
    const first = await before.put('good', [['9007199254741185', true]]);
    const refused = await before.put('bad', [['17', true]]);
    expect([first.status, refused.status]).toEqual([204, 422]);
    await before.platform.close();
    const after = await start(directory);
    after.accessToken = before.accessToken;
    expect((await after.send(couponsPath)).text).toContain('{"product_id":9007199254741185,"is_enabled":true}');
    const replays = [
      await after.put('good', [['9007199254741185', false]]),
      await after.put('bad', [['1000001', true]]),
    ];
    expect(replays.map((answer) => [answer.status, answer.text, answer.headers.get('idempotency-replayed')])).toEqual([
      [204, '', 'true'],
      [422, refused.text, 'true'],
    ]);
    expect(after.platform.effects()).toEqual([]);
  });

  it('the minute is not forgotten', async () => {
    const directory = temporaryDirectory();
    const now = Date.parse('2026-03-04T09:00:00-03:00');
    const before = await start(directory, { now: () => now });
    await before.signIn();
    for (let call = 0; call < 59; call += 1) {
      expect((await before.list()).status).toBe(200);
    }
    await before.platform.close();
    const after = await start(directory, { now: () => now + 59_999 });
    after.accessToken = before.accessToken;
    expect((await after.list()).status).toBe(429);
  });

  it('changed products stay changed, and a restored user stays', async () => {
    const directory = temporaryDirectory();
    const before = await start(directory);
    await before.signIn();
    before.platform.changeBalance('1201', '1000001', 7.5);
    before.platform.renameProduct('1000001', 'Vassoura Rebatizada');
    before.platform.removeProduct('1000002');
    await before.send('/api/v3/users/703', { method: 'POST', key: 'key' });
    await before.platform.close();
    const after = await start(directory);
    await after.signIn({ username: 'estoquista@example.com', password: 'praticar-aqui-3' });
    const answer = await after.list('product_ids=1000001,1000002');
    expect(readProducts(answer).map((product) => product.name)).toEqual(['Vassoura Rebatizada']);
    expect(answer.text).toContain('"balance":7.5');
  });

  it('the address is the same, unless somebody else has it', async () => {
    const directory = temporaryDirectory();
    const before = await start(directory);
    const { platformUrl } = before.platform;
    await before.platform.close();
    const after = await start(directory);
    expect(after.platform.platformUrl).toBe(platformUrl);
    await after.platform.close();
    const squatter = createServer().listen(Number(new URL(platformUrl).port), '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await new Promise((resolve) => squatter.once('listening', resolve));
    expect((await start(directory)).platform.platformUrl).not.toBe(platformUrl);
  });
});

describe('the folder', () => {
  it('holds no token and no password', async () => {
    const directory = temporaryDirectory();
    const caller = await start(directory);
    const tokens = await caller.signIn();
    await caller.list();
    await caller.platform.close();
    const files = readdirSync(directory);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const bytes = readFileSync(join(directory, file)).toString('latin1');
      for (const secret of [
        tokens.access_token,
        tokens.refresh_token ?? '',
        caller.platform.password,
        caller.platform.clientSecret,
      ]) {
        expect(bytes.includes(secret)).toBe(false);
      }
    }
  });

  it("is one platform's alone", async () => {
    const directory = temporaryDirectory();
    await start(directory);
    await expect(startTrainingPlatform({ directory })).rejects.toMatchObject({ failure: { kind: 'alreadyRunning' } });
  });

  it('with a damaged file is begun anew, the old one set aside', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'training.db'), 'this is no database, however long it may be'.repeat(100));
    const caller = await start(directory);
    await caller.signIn();
    expect((await caller.list()).status).toBe(200);
    expect(readdirSync(directory).some((file) => file.startsWith('training.db.damaged-'))).toBe(true);
  });
});

it('a port that is taken is refused when it was asked for', async () => {
  const first = await start(temporaryDirectory());
  const port = Number(new URL(first.platform.platformUrl).port);
  await expect(startTrainingPlatform({ directory: null, port })).rejects.toThrow('EADDRINUSE');
});
