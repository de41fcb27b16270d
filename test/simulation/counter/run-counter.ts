import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { openLookup } from '../../../app/catalogue/lookup/lookup.ts';
import { openCatalogueRepository } from '../../../app/catalogue/repository/repository.ts';
import { parseId, type Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { failureOf } from '../../../app/platform/answer.ts';
import { createPlatformClient } from '../../../app/platform/client.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import { createExchange } from '../../../app/platform/exchange.ts';
import type { Clock, Http } from '../../../app/ports.ts';
import { createMemoryLog } from '../memory-log.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { createWorld, type World } from '../virtual-clock.ts';
import type { CounterEvidence, CounterLane, CounterRules, Question, Sent } from './counter-judge.ts';
import { listed } from '../../support/listed.ts';

const minuteMs = 60_000;
const defaultRules: CounterRules = { limit: 60, windowMs: minuteMs, reserve: 3 };
const productIds = Array.from({ length: 12 }, (_, place) => String(101 + place));
const defaultPauseMs = 5_000;
const maxAskers = 10;
/** A load balancer holds everything for so long, and then forwards all of it. */
const stallMs = 130_000;
const maxReleaseMs = 2_000;
/** An abandoned request may arrive for so long after that (app/rate-limit/rules.ts). */
const latestArrivalMs = 120_000;

type RetryAfter = 'seconds' | 'date' | 'dateOnly' | 'absent';

function idOf(text: string): Id {
  return parseId(text) ?? ('1' as Id);
}

function laneOf(url: URL): CounterLane {
  if (url.pathname.endsWith('/batches')) {
    return 'spare';
  }
  if (url.pathname.endsWith('/balance') || url.searchParams.has('term')) {
    return 'person';
  }
  return url.pathname.endsWith('consumption-coupons') ? 'queue' : 'catalogue';
}

function subjectOf(url: URL): string {
  return /products\/(\d+)\/balance/.exec(url.pathname)?.[1] ?? url.searchParams.get('term') ?? url.pathname;
}

function bodyOf(url: URL): string {
  if (url.pathname.endsWith('/batches')) {
    return '{"product":{"name":"Product"},"option_names":"","stock_movements":[]}';
  }
  if (url.pathname.endsWith('/balance')) {
    return `{"stock":{"id":1,"name":"Shop"},"product":{"id":${subjectOf(url)},"name":"Product","sku":"1","unit_of_measure":{}},"balance":1,"balance_options":[]}`;
  }
  return url.pathname.endsWith('consumption-coupons')
    ? '{"items":[]}'
    : '{"data":{"stock_products":[]},"meta":{"current_page":1,"last_page":1,"per_page":100,"total":0}}';
}

/** A platform with a sliding window that others use, too. */
function createPlatform(world: World, random: SeededRandom, clock: Clock, rulesNow: () => CounterRules) {
  const sent: Sent[] = [];
  const stalls = random.fork('stalls');
  const form = random.pick<RetryAfter>(['seconds', 'date', 'date', 'dateOnly', 'absent']);
  // The platform's clock is its own affair; without a Date header there is only ours to compare with.
  const skewMs = form === 'date' ? random.integer(-7_200_000, 7_200_000) : 0;
  // It may ask for more than it must.
  const patienceSeconds = random.pick([0, 10, 40]);
  const trouble: { others: number; stalledUntilMs: number | null } = { others: 0, stalledUntilMs: null };
  let counted: number[] = [];

  function refusal(): { readonly headers: Record<string, string>; readonly pauseMs: number } | null {
    const nowMs = world.nowMs();
    const { limit, windowMs } = rulesNow();
    counted = counted.filter((atMs) => atMs > nowMs - windowMs);
    const mine = Math.max(1, limit - trouble.others);
    if (counted.length < mine) {
      counted.push(nowMs);
      return null;
    }
    const seconds =
      patienceSeconds + Math.max(1, Math.ceil(((counted[counted.length - mine] ?? nowMs) + windowMs - nowMs) / 1000));
    const platformNow = clock.now() + skewMs;
    const date = { date: new Date(platformNow).toUTCString() };
    const until = new Date(platformNow + 1000 * seconds).toUTCString();
    switch (form) {
      case 'seconds':
        return { headers: { ...date, 'retry-after': String(seconds) }, pauseMs: 1000 * seconds };
      case 'date':
        return { headers: { ...date, 'retry-after': until }, pauseMs: 1000 * seconds };
      case 'dateOnly':
        return { headers: { 'retry-after': until }, pauseMs: 1000 * seconds };
      case 'absent':
        return { headers: date, pauseMs: defaultPauseMs };
    }
  }

  const http: Http = {
    send: (request) =>
      new Promise((resolve) => {
        const url = new URL(request.url);
        const one: Sent = {
          lane: laneOf(url),
          subject: subjectOf(url),
          leftAtMs: world.nowMs(),
          rules: rulesNow(),
          arrivedAtMs: Number.POSITIVE_INFINITY,
          answeredAtMs: Number.POSITIVE_INFINITY,
          pauseMs: null,
        };
        request.onLeaving?.();
        sent.push(one);
        const { stalledUntilMs } = trouble;
        if (stalledUntilMs !== null) {
          world.after(stalledUntilMs - world.nowMs() + stalls.integer(1, maxReleaseMs), () => {
            one.arrivedAtMs = world.nowMs();
            refusal();
          });
          world.after(request.timeoutMs, () => {
            one.answeredAtMs = world.nowMs() + latestArrivalMs;
            resolve(fail({ kind: 'timedOut' }));
          });
          return;
        }
        world.after(random.integer(20, 200), () => {
          one.arrivedAtMs = world.nowMs();
          const refused = refusal();
          world.after(random.integer(20, 200), () => {
            one.answeredAtMs = world.nowMs();
            one.pauseMs = refused?.pauseMs ?? null;
            resolve(
              succeed(
                refused === null
                  ? { status: 200, headers: {}, body: bodyOf(url) }
                  : { status: 429, headers: refused.headers, body: '{"code":"too_many_requests"}' },
              ),
            );
          });
        });
      }),
  };
  return { http, sent, trouble };
}

/** Runs a counter; `directory` is where its files go. */
export async function runCounter(seed: number, directory: string): Promise<CounterEvidence> {
  const world = createWorld();
  const random = createSeededRandom(`counter ${String(seed)}`);
  const clock: Clock = {
    now: () => Date.UTC(2031, 0, 6) + world.nowMs(),
    uptimeMs: () => 1e9 + world.nowMs(),
    after: (delayMs, callback) => world.after(delayMs, callback),
  };
  const changes: { atMs: number; rules: CounterRules }[] = [{ atMs: 0, rules: defaultRules }];
  let rules = defaultRules;
  const { http, sent, trouble } = createPlatform(world, random.fork('platform'), clock, () => rules);
  const root = mkdtempSync(join(directory, 'tillside-counter-'));
  const { repository } = await openCatalogueRepository({
    path: join(root, 'catalogue.db'),
    fingerprint: 'counter',
    stockIds: [idOf('1')],
    now: () => 0,
  });
  const [stock] = repository.stocks();
  if (stock !== undefined) {
    repository.writer.save(
      stock,
      listed(productIds.map((id) => ({ id: Number(id), code: id, name: `Product ${id}` }))),
      { pass: 1, seenSince: 1, askedAt: 1 },
    );
  }
  const rateLimit = openRateLimit(clock, createMemoryLog(), () => rules);
  const connection = createConnection({ clock, random: random.fork('connection') }, () => undefined);
  const exchange = createExchange(http, 'https://platform.example.com', connection, new AbortController().signal, () =>
    clock.now(),
  );
  const token = (): ReturnType<Parameters<typeof createPlatformClient>[0]['tokens']['accessToken']> =>
    Promise.resolve(succeed({ text: 'token', user: 'ana@example.com' }));
  const client = createPlatformClient({
    exchange,
    rateLimit,
    tokens: { user: () => 'ana@example.com', accessToken: token, renew: token },
    companyId: idOf('1'),
  });
  const lookup = openLookup({
    repository,
    client,
    clock,
    completeAt: () => null,
    scaleLayouts: () => [],
    onStored: () => undefined,
  });
  const questions: Question[] = [];
  const crowds: { fromMs: number; toMs: number }[] = [];
  const waits: { fromMs: number; toMs: number }[] = [];
  let isNight = false;
  const ending = new AbortController();
  let isCrowded = false;
  let queueRestMs = 20_000;

  const rest = (forMs: number): Promise<void> =>
    new Promise((resolve) => {
      world.after(forMs, resolve);
    });

  function ask(subject: string, isOfScan: boolean): Question {
    const question: Question = {
      subject,
      askedAtMs: world.nowMs(),
      isOfScan,
      turnedAwayAtMs: Number.POSITIVE_INFINITY,
      answeredAtMs: null,
      answeredSubject: null,
    };
    questions.push(question);
    return question;
  }

  function answered(question: Question, subject: string | null): void {
    question.answeredAtMs = world.nowMs();
    question.answeredSubject = subject;
  }

  function scan(chance: SeededRandom): void {
    for (const question of questions) {
      if (question.isOfScan && question.answeredAtMs === null) {
        question.turnedAwayAtMs = Math.min(question.turnedAwayAtMs, world.nowMs());
      }
    }
    const productId = chance.pick(productIds);
    const text = chance.chance(0.2) ? `9${String(chance.integer(10_000, 99_999))}x` : productId;
    const found = lookup.find(text, 'scan');
    if (found.kind !== 'found') {
      const question = ask(text, true);
      void lookup.ask(text).then((answer) => {
        answered(question, answer.ok ? answer.value.text : null);
      });
      return;
    }
    // A page may ask twice, and for another product at the same time.
    const wanted = chance.chance(0.3) ? [productId, productId, chance.pick(productIds)] : [productId];
    for (const id of wanted) {
      const question = ask(id, true);
      void lookup.refresh(idOf('1'), idOf(id)).then((answer) => {
        answered(question, answer.ok ? answer.value.productId : null);
      });
    }
  }

  async function cashier(chance: SeededRandom): Promise<void> {
    while (!ending.signal.aborted) {
      await rest(chance.waitMs(chance.pick([700, 5_000, 40_000, 90_000])));
      if (!isCrowded && !ending.signal.aborted) {
        scan(chance);
      }
    }
  }

  /** Somebody at another screen who asks as soon as they are answered, and waits as long as it takes. */
  async function asker(number: number): Promise<void> {
    while (!ending.signal.aborted) {
      if (!isCrowded) {
        await rest(1_000);
        continue;
      }
      const subject = String(900 + number);
      const question = ask(subject, false);
      const answer = await client.readBalance({ stockId: idOf('1'), productId: idOf(subject) }, { lane: 'person' });
      answered(question, answer.ok ? answer.value.product.id : null);
    }
  }

  async function queue(): Promise<void> {
    while (!ending.signal.aborted) {
      const fromMs = world.nowMs();
      const slot = await rateLimit.take('queue');
      waits.push({ fromMs, toMs: world.nowMs() });
      if (slot.ok) {
        const answer = await exchange({
          slot: slot.value,
          method: 'GET',
          path: '/api/v3/products/consumption-coupons',
        });
        if (answer.ok && answer.value.status === 429) {
          rateLimit.slowDown(failureOf(answer.value).retryAfterMs);
        }
      }
      await rest(queueRestMs);
    }
  }

  async function catalogue(): Promise<void> {
    while (!ending.signal.aborted) {
      // At night it reads changes now and then.
      await rest(isNight ? 20_000 : 50);
      const fromMs = world.nowMs();
      await client.listStockProducts(
        { stockId: idOf('1'), page: 1, perPage: 100 },
        { lane: 'catalogue', onLeaving: () => waits.push({ fromMs, toMs: world.nowMs() }) },
      );
    }
  }

  /** Asks as soon as it is answered, for what can wait. */
  async function spare(): Promise<void> {
    for (let number = 1; !ending.signal.aborted; number += 1) {
      await client.listBatches(
        { stockId: idOf('1'), productId: idOf(String(7_000 + number)) },
        { lane: 'catalogue', isSpare: true },
      );
      await rest(50);
    }
  }

  function set(next: CounterRules): void {
    rules = next;
    changes.push({ atMs: world.nowMs(), rules });
    rateLimit.reconsider();
  }

  /** Ends when what was abandoned has arrived and counts no more. */
  async function stall(): Promise<void> {
    isCrowded = true;
    trouble.stalledUntilMs = world.nowMs() + stallMs;
    await world.runUntil(trouble.stalledUntilMs);
    trouble.stalledUntilMs = null;
    isCrowded = false;
    await world.runUntil(world.nowMs() + 5 * minuteMs);
  }

  async function happen(chance: SeededRandom): Promise<number> {
    await world.runUntil(4 * minuteMs);
    if (seed % 3 === 1) {
      await stall();
    }
    for (let phase = 0; phase < 5; phase += 1) {
      const kind = chance.pick(['crowd', 'crowd', 'others', 'set', 'calm'] as const);
      if (kind === 'crowd') {
        isCrowded = true;
        queueRestMs = 0;
        const fromMs = world.nowMs();
        await world.runUntil(fromMs + 4 * minuteMs);
        crowds.push({ fromMs, toMs: world.nowMs() });
        isCrowded = false;
        queueRestMs = 20_000;
      } else if (kind === 'others') {
        trouble.others = chance.integer(15, 50);
      } else if (kind === 'set') {
        set({
          limit: chance.pick([60, 60, 30, 45]),
          windowMs: chance.pick([minuteMs, 15_000, 40_000, 90_000]),
          reserve: chance.pick([3, 3, 5]),
        });
      }
      await world.runUntil(world.nowMs() + chance.integer(2, 5) * minuteMs);
    }
    isNight = true;
    await world.runUntil(world.nowMs() + 4 * minuteMs);
    isNight = false;
    trouble.others = 0;
    set(defaultRules);
    const aloneFromMs = world.nowMs();
    await world.runUntil(aloneFromMs + (seed % 4 === 0 ? 21 : 2) * minuteMs);
    return aloneFromMs;
  }

  try {
    void cashier(random.fork('cashier'));
    for (let number = 0; number < maxAskers; number += 1) {
      void asker(number);
    }
    void queue();
    void catalogue();
    void spare();
    const aloneFromMs = await happen(random.fork('phases'));
    const endMs = world.nowMs();
    ending.abort();
    rateLimit.close();
    await world.runUntil(endMs + minuteMs);
    return {
      sent: sent.filter(({ leftAtMs }) => leftAtMs <= endMs),
      questions,
      changes,
      crowds,
      waits,
      aloneFromMs,
      endMs,
    };
  } finally {
    repository.close();
    rmSync(root, { recursive: true, force: true });
  }
}
