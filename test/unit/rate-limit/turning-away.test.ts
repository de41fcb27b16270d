// The proof that what a cashier has turned away from costs no slot (K5 of lookup.ts), and that a live figure which
// others' requests have crowded out is asked for again: the real rate limit, client and lookup over an answer that the
// test gives.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { openLookup } from '../../../app/catalogue/lookup/lookup.ts';
import { noProgress } from '../../../app/catalogue/sync/progress.ts';
import { openCatalogueRepository } from '../../../app/catalogue/repository/repository.ts';
import { parseId, type Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createPlatformClient } from '../../../app/platform/client.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import { createExchange } from '../../../app/platform/exchange.ts';
import type { HttpResponse } from '../../../app/ports.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { fixedTokens } from '../../support/tokens.ts';
import { listed } from '../../support/listed.ts';

const latencyMs = 300;
const stockId = parseId('11') as Id;
const productId = parseId('1') as Id;

function balanceOf(id: string): HttpResponse {
  return {
    status: 200,
    headers: {},
    body: `{"stock":{"id":11,"name":"Shop"},"product":{"id":${id},"name":"Tea","sku":"1","unit_of_measure":{}},"balance":3,"balance_options":[]}`,
  };
}

const nothingFound: HttpResponse = {
  status: 200,
  headers: {},
  body: '{"data":{"stock_products":[]},"meta":{"current_page":1,"last_page":1,"per_page":50,"total":0}}',
};

async function open() {
  const clock = createManualClock();
  const directory = temporaryDirectory();
  const rateLimit = openRateLimit(
    clock,
    openSendLog(await openQueueDatabase(directory), 'https://platform.example.com'),
  );
  const { repository } = await openCatalogueRepository({
    path: join(directory, 'catalogue.db'),
    fingerprint: 'test',
    stockIds: [stockId],
    now: () => 0,
  });
  onTestFinished(() => repository.close());
  const [stock] = repository.stocks();
  if (stock !== undefined) {
    repository.writer.save(
      stock,
      listed([
        { id: 1, code: 'T-1', name: 'Tea' },
        { id: 2, code: 'T-2', name: 'Milk' },
      ]),
      { pass: 1, seenSince: 1, askedAt: 1 },
    );
    repository.saveProgress(stock, { ...noProgress, completeAsOf: 1 });
  }
  const sent: string[] = [];
  let answers: HttpResponse[] = [];
  const http = {
    send: ({ url }: { readonly url: string }) => {
      sent.push(url.replace(/^.*\/products/, ''));
      return new Promise<ReturnType<typeof succeed<HttpResponse>>>((resolve) => {
        clock.after(latencyMs, () => {
          const [next, ...rest] = answers;
          answers = rest;
          resolve(
            succeed(next ?? (url.includes('term=') ? nothingFound : balanceOf(/products\/(\d+)/.exec(url)?.[1] ?? ''))),
          );
        });
      });
    },
  };
  const random = { uuid: () => '', fraction: () => 0.5 };
  const exchange = createExchange(
    http,
    'https://platform.example.com',
    createConnection({ clock, random }, () => undefined),
    new AbortController().signal,
    () => clock.now(),
  );
  const client = createPlatformClient({ exchange, rateLimit, tokens: fixedTokens('token'), companyId: stockId });
  const lookup = openLookup({
    repository,
    client,
    clock,
    completeAt: () => null,
    scaleLayouts: () => [],
    onStored: () => undefined,
  });
  const fill = async (): Promise<void> => {
    for (let slot = 0; slot < 60; slot += 1) {
      const taken = await rateLimit.take('session');
      if (taken.ok) {
        taken.value.settle();
      }
    }
  };
  return { clock, rateLimit, lookup, sent, fill, answerWith: (next: HttpResponse[]) => (answers = next) };
}

const cancelled = { ok: false, failure: { kind: 'cancelled' } };

test('K5: the next scan withdraws a live figure and a question that have not left', async () => {
  const { clock, rateLimit, lookup, sent, fill } = await open();
  await fill();
  lookup.find('T-1', 'scan');
  const figure = lookup.refresh(stockId, productId);
  await settlePromises();
  lookup.find('NEVER-9999', 'scan');
  const question = lookup.ask('NEVER-9999');
  expect(await figure).toEqual(cancelled);
  await settlePromises();
  lookup.find('T-2', 'scan');
  expect(await question).toEqual(cancelled);
  const last = lookup.refresh(stockId, parseId('2') as Id);
  await clock.advance(60_000 + latencyMs);
  expect(await last).toMatchObject({ ok: true, value: { productId: '2' } });
  expect(sent).toEqual(['/2/balance']);
  expect(rateLimit.state().used).toBe(1);
});

test('K5: opening another product from a list withdraws it, too; scanned again, it is asked for anew', async () => {
  const { clock, lookup, sent, fill } = await open();
  await fill();
  const first = lookup.refresh(stockId, productId);
  await settlePromises();
  const milk = lookup.read(stockId, parseId('2') as Id);
  if (milk !== null) {
    lookup.noteOpened(milk);
  }
  expect(await first).toEqual(cancelled);
  const again = lookup.refresh(stockId, productId);
  await clock.advance(60_000 + latencyMs);
  expect(await again).toMatchObject({ ok: true });
  expect(sent).toEqual(['/1/balance']);
});

test('K5: what has left is finished and kept', async () => {
  const { clock, lookup, sent } = await open();
  const figure = lookup.refresh(stockId, productId);
  await settlePromises();
  lookup.find('T-2', 'scan');
  await clock.advance(latencyMs);
  expect(await figure).toMatchObject({ ok: true, value: { balance: { amount: 3, source: 'live' } } });
  expect(sent).toEqual(['/1/balance']);
});

test('K4: the same question asked twice at a time is one request', async () => {
  const { clock, lookup, sent } = await open();
  const asked = [lookup.ask('NEVER-9999'), lookup.ask('NEVER-9999')];
  await clock.advance(latencyMs);
  const [one, other] = await Promise.all(asked);
  expect(one).toMatchObject({ ok: true, value: { kind: 'unknown', asked: true } });
  expect(other).toEqual(one);
  expect(sent).toHaveLength(1);
});

const tooMany: HttpResponse = { status: 429, headers: { 'retry-after': '4' }, body: '{"code":"too_many_requests"}' };

test('a live figure that was refused with 429 is asked for again after the pause, three times in all', async () => {
  const { clock, lookup, sent, answerWith } = await open();
  answerWith([tooMany]);
  const figure = lookup.refresh(stockId, productId);
  await clock.advance(latencyMs + 3_999);
  expect(sent).toHaveLength(1);
  await clock.advance(1 + latencyMs);
  expect(await figure).toMatchObject({ ok: true });
  answerWith([tooMany, tooMany, tooMany]);
  const refused = lookup.refresh(stockId, productId);
  await clock.advance(60_000);
  expect(await refused).toMatchObject({ ok: false, failure: { kind: 'tooManyRequests' } });
  expect(sent).toHaveLength(5);
});

test('nobody who has turned away asks again after a 429', async () => {
  const { clock, lookup, sent, answerWith } = await open();
  answerWith([tooMany]);
  const figure = lookup.refresh(stockId, productId);
  await settlePromises();
  lookup.find('T-2', 'scan');
  await clock.advance(60_000);
  expect(await figure).toMatchObject({ ok: false, failure: { kind: 'tooManyRequests' } });
  expect(sent).toHaveLength(1);
});
