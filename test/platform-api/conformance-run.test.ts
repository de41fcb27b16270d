// What a run of app/conformance leaves behind at the platform, and in its report.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../../app/conformance/http-send.ts';
import { writeJsonReport, writeReport } from '../../app/conformance/report.ts';
import type { Report } from '../../app/conformance/run.ts';
import { applications, places, users } from '../../app/training/data/world.ts';
import { couponProduct, openJudgedPlatform, type Between } from '../support/judged-platform.ts';
import { shareOf } from '../support/night.ts';
import type { Harm } from './harm-worker.ts';

const verdictOf = (report: Report, id: string): unknown => report.lines.find((line) => line.id === id)?.verdict;
const isPut = ({ method }: WireRequest): boolean => method === 'PUT';

describe('the limit', () => {
  it.each([
    [30, 0],
    [30, 900],
    [12, 3000],
    [6, 0],
  ])('of %d in 60 s is kept while an answer takes %d ms', async (perMinute, latencyMs) => {
    const platform = await openJudgedPlatform({}, { latencyMs });
    const { outcome } = await platform.judge({ perMinute });
    expect(outcome).toBe('kept');
    const { arrivals } = platform;
    const inAMinute = arrivals.map((first) => arrivals.filter((at) => at >= first && at < first + 60_000).length);
    expect(Math.max(...inAMinute)).toBeLessThanOrEqual(perMinute);
  });
});

describe('without --may-switch', () => {
  it('nothing but token requests is a POST, and nothing is a PUT', async () => {
    const platform = await openJudgedPlatform();
    const report = await platform.judge({ maySwitch: null });
    expect(report.outcome).toBe('kept');
    const writing = platform.service.arrivals.filter(({ method }) => method !== 'GET');
    expect(new Set(writing.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(['POST /oauth/token']));
    expect(platform.service.effects).toEqual([]);
    expect(verdictOf(report, '4.7:update')).toBe('untold');
  });
});

const tooMany = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '30' },
  text: '{"code":"too_many_requests","message":"x"}',
};

describe('what was switched', () => {
  const cases = Array.from({ length: 20 }, (_unused, place) => place + 1);

  it.each(cases)('is put back after a stop before update %d', async (last) => {
    const platform = await openJudgedPlatform();
    const stop = new AbortController();
    let updates = 0;
    const report = await platform.judge({ signal: stop.signal }, (request, next) => {
      updates += isPut(request) ? 1 : 0;
      if (updates === last) stop.abort();
      return next(request);
    });
    expect(platform.service.couponSettings().get(couponProduct)).toBe(true);
    expect(verdictOf(report, '4.7:put-back')).toBe('kept');
    // After the last one there is nothing left to stop.
    expect(report.outcome).toBe(updates < 20 ? 'notJudged' : 'kept');
  });

  it.each(cases)('is put back when the network goes away for a while at update %d', async (last) => {
    const platform = await openJudgedPlatform();
    let updates = 0;
    let lost = 0;
    await platform.judge({}, async (request, next) => {
      updates += isPut(request) ? 1 : 0;
      if (updates < last || lost >= 6) return next(request);
      lost += 1;
      // Every other one has been done all the same.
      if (lost % 2 === 0) await next(request);
      return 'socket hang up';
    });
    expect(platform.service.couponSettings().get(couponProduct)).toBe(true);
  });

  it.each([
    ['the network is away', 'socket hang up'],
    ['others use up the limit', tooMany],
  ])('is put back where %s for three minutes', async (_case, lost) => {
    // Its own clock stands still.
    const platform = await openJudgedPlatform({ requestsPerMinute: 1_000_000 });
    let now = 0;
    let lostAt: number | null = null;
    const wait = (ms: number): Promise<void> => {
      now += Math.max(1, ms);
      return Promise.resolve();
    };
    const report = await platform.judge({ timing: { now: () => now, wait } }, async (request, next) => {
      if (lostAt !== null && now - lostAt < 180_000) return lost;
      const answer = await next(request);
      // From the update on that has switched it.
      lostAt ??= typeof answer !== 'string' && answer.status === 204 ? now : null;
      return answer;
    });
    expect(verdictOf(report, '4.7:put-back')).toBe('kept');
    expect(platform.service.couponSettings().get(couponProduct)).toBe(true);
  });

  it('is put back where one of two updates that go at once is on its way at the stop', async () => {
    const platform = await openJudgedPlatform();
    const stop = new AbortController();
    const keys = new Set<string>();
    const late: Promise<unknown>[] = [];
    const report = await platform.judge({ signal: stop.signal }, async (request, next) => {
      const key = request.headers['Idempotency-Key'] ?? '';
      const isOther = isPut(request) && request.body?.includes('"is_enabled":false') === true;
      // The third key under which it is switched off is that of the two.
      if (!isOther || keys.has(key) || keys.add(key).size < 3) return next(request);
      stop.abort();
      const sent = delay(50).then(() => next(request));
      late.push(sent);
      return sent;
    });
    await Promise.all(late);
    expect(verdictOf(report, '8:at-once')).toBe('untold');
    expect(verdictOf(report, '4.7:put-back')).toBe('kept');
    expect(platform.service.couponSettings().get(couponProduct)).toBe(true);
  });

  it('is said where it cannot be put back, with how to do it by hand', async () => {
    const platform = await openJudgedPlatform();
    let updates = 0;
    const report = await platform.judge({}, (request, next) => {
      updates += isPut(request) ? 1 : 0;
      return updates > 1 ? Promise.resolve('socket hang up') : next(request);
    });
    expect(verdictOf(report, '4.7:put-back')).toBe('broken');
    expect(report.outcome).toBe('broken');
    expect(writeReport(report, 'en')).toContain(`Switch the coupon of product ${couponProduct} ON by hand.`);
  });

  it('is off at first as well', async () => {
    const platform = await openJudgedPlatform();
    platform.service.changeCouponSetting(couponProduct, false);
    const report = await platform.judge();
    expect(report.outcome).toBe('kept');
    expect(platform.service.couponSettings().get(couponProduct)).toBe(false);
  });

  it.each([
    ['a product whose coupon is not listed', '1000002', {}, 'notSet'],
    ['a list that does not go by the company', couponProduct, { couponsOfCompany: 'first' }, 'otherCompany'],
  ] as const)('is nothing with %s', async (_case, maySwitch, variants, why) => {
    const platform = await openJudgedPlatform(variants);
    const report = await platform.judge({ maySwitch });
    expect(platform.service.arrivals.filter(({ method }) => method === 'PUT')).toEqual([]);
    expect(report.lines.find(({ id }) => id === '4.7:update')?.why?.key).toBe(why);
    expect(report.outcome).toBe('kept');
  });

  it('may be of a list that does not go by the company where there is one company alone', async () => {
    const platform = await openJudgedPlatform({ couponsOfCompany: 'first' });
    const report = await platform.judge({ hasOneCompany: true });
    expect(verdictOf(report, '8:replay')).toBe('kept');
    expect(platform.service.couponSettings().get(couponProduct)).toBe(true);
  });
});

describe('a platform that cannot be judged', () => {
  it.each([
    ['answers nothing', 'ECONNREFUSED', 'unreachable'],
    ['refuses the sign-in', { status: 401, headers: {}, text: '' }, 'signInRefused'],
  ])('%s', async (_case, answer, why) => {
    const report = await (await openJudgedPlatform()).judge({}, () => Promise.resolve(answer));
    expect(report.outcome).toBe('notJudged');
    expect(report.why?.key).toBe(why);
    expect(report.requests).toBeLessThanOrEqual(1);
    expect(report.lines.filter(({ verdict }) => verdict === 'kept')).toEqual([]);
  });
});

describe('the report', () => {
  it('holds no secret, whatever the platform says of it, and no name of a person', async () => {
    const platform = await openJudgedPlatform();
    const seen = new Set<string>();
    const tell: Between = async (request, next) => {
      const answer = await next(request);
      if (typeof answer === 'string') return answer;
      for (const [, token = ''] of answer.text.matchAll(/_token":"([^"]+)"/g)) seen.add(token);
      const { Authorization: authorization = '' } = request.headers;
      const said = JSON.stringify({ said: [request.body, authorization, [...seen].join(' ')] });
      const text = answer.status === 200 && !request.url.includes('oauth') ? said : answer.text;
      return { ...answer, text, headers: { ...answer.headers, 'retry-after': authorization } };
    };
    const report = await platform.judge({}, tell);
    expect(report.outcome).toBe('broken');
    expect(seen.size).toBeGreaterThan(2);
    const texts = [writeReport(report, 'en'), writeJsonReport(report, 'en')];
    for (const secret of [...seen, 'practice-secret-for-nobody', 'praticar-aqui-1', 'caixa@example.com']) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  it('moves no cursor, whatever a platform sends', async () => {
    const platform = await openJudgedPlatform();
    const report = await platform.judge({ maySwitch: null }, async (request, next) => {
      const answer = await next(request);
      return typeof answer === 'string' || answer.status !== 200 || request.url.includes('oauth')
        ? answer
        : { ...answer, text: '\u001B[2Jall is kept\n✓ §1\u2028\u009B2J\u202E' };
    });
    // oxlint-disable-next-line no-control-regex
    expect(writeReport(report, 'en')).not.toMatch(/[\u001B\u009B\u2028\u202E]|^✓ §1\s*$/m);
    const written = writeJsonReport(report, 'en');
    // oxlint-disable-next-line no-control-regex
    expect(written).not.toMatch(/[\u001B\u009B\u2028\u202E]/);
    expect(written).toContain(String.raw`\u001b[2Jall is kept\n✓ §1\u2028\u009b2J\u202e`);
  });

  it('says every line once, by section, and every reading, told or not', async () => {
    const report = await (await openJudgedPlatform()).judge({ maySwitch: null });
    const ids = report.lines.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const read = JSON.parse(writeJsonReport(report, 'pt-BR')) as { lines: { title: string }[]; readings: unknown[] };
    expect(read.lines.map(({ title }) => title)).toContain('As respostas são JSON');
    expect(read.readings).toContainEqual({ id: '8:minute', title: 'Quais 60 segundos contam', value: 'untold' });
    expect(writeReport(report, 'es')).toContain('§8 Qué 60 segundos cuentan: no se puede decir');
  });
});

describe('a platform that means harm', () => {
  const listing = (elements: string): string =>
    `{"data":{"stock_products":[${elements}]},"meta":{"current_page":1,"last_page":1,"per_page":30,"total":5}}`;
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  it.each([
    ['dates that no clock has', '{"id":1,"updated_at":"+275760-09-13T00:00:00Z"}'],
    ['elements without end', `${'{"id":1},'.repeat(5000)}{"id":2}`],
    ['objects in objects in objects', deep(5000)],
    ['halves of signs', String.raw`{"id":"\ud800","code":"\ud801"},{"id":"\ud802","name":"\ud803"}`],
    ['names of the language', '{"__proto__":{"id":1},"constructor":1,"id":"__proto__","name":"toString"}'],
  ])('is judged to the end: %s', async (_name, elements) => {
    const platform = await openJudgedPlatform();
    const text = listing(elements);
    const report = await platform.judge({ maySwitch: null }, async (request, next) => {
      const answer = await next(request);
      return typeof answer !== 'string' && request.url.includes('/products?')
        ? { ...answer, status: 200, text }
        : answer;
    });
    expect(report.outcome).toBe('broken');
    expect(verdictOf(report, '2:meta')).not.toBe('kept');
  });

  it.each([
    ['more of them than any gives', Array.from({ length: 1000 }, (_unused, place) => `"token":"é${place}/"`).join()],
    ['a longer one than any is', `"token":"${'é'.repeat(70_000)}"`],
  ])('is not looked through for tokens where it answers %s', async (_name, tokens) => {
    const platform = await openJudgedPlatform();
    const report = await platform.judge({ maySwitch: null }, async (request, next) => {
      const answer = await next(request);
      const isOfScopes = typeof answer !== 'string' && request.url.includes('/oauth/scopes');
      return isOfScopes ? { ...answer, text: `{${tokens}}` } : answer;
    });
    expect(report.lines.find(({ id }) => id === '4.2:scopes')).toMatchObject({ why: { key: 'noAnswer' } });
    expect(verdictOf(report, '1:answered')).toBe('broken');
    expect(verdictOf(report, '4.3:shape')).toBe('kept');
  });

  it.each(shareOf<Harm>(['objects', 'names'], 1))('fills no memory by %s in each answer', async (harm) => {
    const worker = new Worker(new URL('harm-worker.ts', import.meta.url), {
      workerData: harm,
      resourceLimits: { maxOldGenerationSizeMb: 96 },
    });
    // Rejects where the worker has run out of it.
    const [said] = (await once(worker, 'message')) as [{ answers: number; outcome: string }];
    expect(said.outcome).toBe('kept');
    expect(said.answers).toBeGreaterThan(30);
  });

  it('sees no secret in the report, however it gives it back', async () => {
    const platform = await openJudgedPlatform();
    const password = 'maçã "up" \\ word';
    const email = 'joão.caixa';
    const [application] = applications;
    const [user] = users;
    const { clientId, clientSecret } = application;
    const { companyId: company, stockIds } = places;
    const target = { url: 'http://127.0.0.1', clientId, clientSecret, email, password };
    const report = await platform.judge(
      { maySwitch: null, target: { ...target, company, stock: stockIds[0] ?? '' } },
      async (request, next) => {
        const body =
          request.body
            ?.replace(JSON.stringify(password), JSON.stringify(user.password))
            .replace(JSON.stringify(email), JSON.stringify(user.email)) ?? null;
        const answer = await next({ ...request, body });
        const form = new URLSearchParams({ text: password, by: email }).toString();
        const sent = { code: 'x', sent: JSON.stringify({ text: password }), plain: password, form, by: email };
        // As PHP and Python write it.
        const text = JSON.stringify(sent)
          .replaceAll('ç', String.raw`\u00e7`)
          .replaceAll('ã', String.raw`\u00e3`);
        return typeof answer === 'string' || request.url.includes('/oauth/') ? answer : { ...answer, text };
      },
    );
    const written = writeReport(report, 'en') + writeJsonReport(report, 'en');
    expect(written).toContain('plain');
    expect(written).not.toMatch(/up\W+word|%22up|caixa/);
  });

  it('sees no token in the report, however the platform has written it when it gave it', async () => {
    const platform = await openJudgedPlatform();
    const ending = '/end';
    let given = '';
    const report = await platform.judge({ maySwitch: null }, async (request, next) => {
      const { Authorization: authorization, ...headers } = request.headers;
      const asBefore = authorization === undefined ? {} : { Authorization: authorization.replace(ending, '') };
      const answer = await next({ ...request, headers: { ...headers, ...asBefore } });
      if (typeof answer === 'string') return answer;
      if (request.url.includes('/oauth/')) {
        given = /"access_token":"([^"]+)"/.exec(answer.text)?.[1] ?? given;
        // As PHP writes it.
        return { ...answer, text: answer.text.replaceAll(given, String.raw`${given}\/end`) };
      }
      return { ...answer, text: JSON.stringify({ code: 'x', seen: `${given}${ending}` }) };
    });
    expect(given).not.toBe('');
    const written = writeReport(report, 'en') + writeJsonReport(report, 'en');
    expect(written).toContain('seen');
    expect(written).not.toContain(given);
  });
});
