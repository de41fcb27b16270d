import { backoffMs } from '../../domain/backoff.ts';
import { broken, equals, hasStatus, isRefused, refusalOf, untold, type Check, type Complaint } from '../check.ts';
import { at, companyHeader, unlikelyId, type Ask, type Exchange, type Probe } from '../probe.ts';
import { couponsPath, listCoupons, readCoupons } from './stock.ts';

/** One coupon that may be switched, as it was before. */
export interface Switch {
  readonly product: string;
  readonly before: boolean;
}

type Item = readonly [product: string, isEnabled: boolean];

const bodyOf = (items: readonly Item[]): string =>
  `{"items":[${items.map(([id, isEnabled]) => `{"product_id":${id},"is_enabled":${isEnabled}}`).join(',')}]}`;

function put(
  probe: Probe,
  key: string | null,
  body: readonly Item[] | string,
  headers: Ask['headers'] = {},
): Promise<Exchange> {
  return probe.ask({
    method: 'PUT',
    path: couponsPath,
    headers: { 'Idempotency-Key': key, ...headers },
    body: typeof body === 'string' ? body : bodyOf(body),
  });
}

/** The setting as the platform lists it now; null when it does not. */
export async function readSetting(probe: Probe, product: string): Promise<boolean | null> {
  probe.forget();
  const items = readCoupons(await listCoupons(probe, { product_id: product }));
  return items?.find((item) => String(item.product_id) === product)?.is_enabled ?? null;
}

/** Together three minutes of pauses: a network that is away comes back, and other programs leave something of a limit. */
const maxPuts = 9;
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** Puts the coupon back, and looks whether it is; false when it is not after so many attempts. */
export async function putBack(
  probe: Probe,
  { product, before }: Switch,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxPuts; attempt += 1) {
    try {
      if (attempt > 0 && (await readSetting(probe, product)) === before) return true;
      const { answer } = await put(probe, probe.uuid(), [[product, before]]);
      if (answer.status < 300) continue;
    } catch {
      // No answer: the next attempt looks what became of it.
    }
    await pause(backoffMs(attempt, firstPauseMs, maxPauseMs));
  }
  return readSetting(probe, product).then(
    (now) => now === before,
    () => false,
  );
}

/** Of two that are sent at once, also after a stop: one on its way would switch the coupon after it was put back. */
async function bothOf(first: Promise<Exchange>, second: Promise<Exchange>): Promise<readonly [Exchange, Exchange]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

const isReplay = ({ answer }: Exchange): boolean =>
  ['true', '1'].includes(answer.headers['idempotency-replayed'] ?? '');
const isSame = (left: Exchange, right: Exchange): boolean =>
  left.answer.status === right.answer.status && left.answer.text === right.answer.text;

async function isNow(
  probe: Probe,
  exchange: Exchange,
  { product }: Switch,
  expected: boolean,
): Promise<Complaint | null> {
  return equals(exchange, 'is_enabled', await readSetting(probe, product), expected);
}

/** An update of the coupon and of a product that nobody has. */
async function judgeHalves(probe: Probe, { product, before }: Switch): Promise<Complaint | null> {
  const items: readonly Item[] = [
    [product, !before],
    [unlikelyId, false],
  ];
  const exchange = await put(probe, probe.uuid(), items);
  const now = await readSetting(probe, product);
  if (now !== before) await put(probe, probe.uuid(), [[product, before]]);
  const empty = await put(probe, probe.uuid(), []);
  probe.note('4.7:empty-items', empty.answer.status < 300 ? 'accepted' : refusalOf(empty));
  if (exchange.answer.status < 300) return equals(exchange, 'is_enabled', now, !before);
  probe.note('4.7:halves', now === before ? 'nothing' : 'goodOnes');
  const place = /^items\.(\d+)/.exec(String(at(exchange.json, 'meta', 0, 'field')))?.[1];
  // The second of two is number 1 or 2.
  probe.note('2:items-from', place === undefined ? 'notSaid' : String(Number(place) - 1));
  const values = at(exchange.json, 'meta', 0, 'validations', 0, 'value');
  probe.note('2:item-values', Array.isArray(values) && values.length > 0 ? 'given' : 'empty');
  return isRefused(exchange, [422, 404, 400]);
}

/**
 * The checks that switch a coupon, in their order. Each leaves it as it was, if the platform keeps the document; `putBack`
 * comes after all of them, whatever happened.
 */
export function switchingChecks(coupon: Switch): readonly Check[] {
  const { product, before } = coupon;
  const same: readonly Item[] = [[product, before]];
  const other: readonly Item[] = [[product, !before]];
  let isOff = false;
  let switched: { readonly key: string; readonly answer: Exchange } | null = null;
  /** A check that has a meaning only where the company may switch coupons at all. */
  const ifOn = (id: string, judge: Check['judge']): Check => ({
    id,
    judge: (probe) => (isOff ? Promise.resolve(untold('couponsOff')) : judge(probe)),
  });
  const refused = (id: string, send: (probe: Probe) => Promise<Exchange>, ...codes: readonly string[]): Check =>
    ifOn(id, async (probe) => {
      const exchange = await send(probe);
      if (id === '4.7:no-key') {
        const { 'idempotency-key': key, 'idempotency-replayed': replayed } = exchange.answer.headers;
        const alone = replayed === undefined ? 'absent' : 'replayedAlone';
        probe.note('8:headers-without-key', key === undefined ? alone : 'generated');
      }
      return isRefused(exchange, [400, 422], ...codes);
    });
  return [
    {
      id: '4.7:update',
      judge: async (probe) => {
        const key = probe.uuid();
        const exchange = await put(probe, key, other);
        isOff = exchange.answer.status >= 400 && exchange.answer.status < 500;
        if (isOff) {
          probe.note('4.7:refusal', refusalOf(exchange));
          return untold('couponsOff');
        }
        switched = { key, answer: exchange };
        return (
          hasStatus(exchange, 204) ??
          equals(exchange, 'body', exchange.answer.text, '') ??
          (await isNow(probe, exchange, coupon, !before))
        );
      },
    },
    ifOn('8:echo', async () => {
      if (switched === null) return untold('couponsOff');
      const { key, answer } = switched;
      return (
        equals(answer, 'Idempotency-Key', answer.answer.headers['idempotency-key'], key) ??
        (isReplay(answer)
          ? broken(answer, 'value', { what: 'Idempotency-Replayed', got: 'true', expected: 'false' })
          : null)
      );
    }),
    // A key of a hundred characters in no format (rule 2), and the later of two changes of one coupon.
    ifOn('8:any-key', async (probe) => {
      const exchange = await put(probe, `any key ~ ${probe.uuid()} ${probe.uuid()}`.padEnd(100, '.'), same);
      return hasStatus(exchange, 204) ?? isNow(probe, exchange, coupon, before);
    }),
    ifOn('8:replay', async (probe) => {
      if (switched === null) return untold('couponsOff');
      const exchange = await put(probe, switched.key, other);
      const replayed = exchange.answer.headers['idempotency-replayed'];
      probe.note('8:replayed', `${switched.answer.answer.headers['idempotency-replayed'] ?? '—'} / ${replayed ?? '—'}`);
      const acted = await isNow(probe, exchange, coupon, before);
      return (
        (acted === null ? null : broken(exchange, 'twice')) ??
        (isSame(exchange, switched.answer) ? null : broken(exchange, 'otherAnswer')) ??
        equals(exchange, 'Idempotency-Key', exchange.answer.headers['idempotency-key'], switched.key) ??
        (isReplay(exchange)
          ? null
          : broken(exchange, 'value', { what: 'Idempotency-Replayed', got: replayed ?? '—', expected: 'true' }))
      );
    }),
    ifOn('8:other-body', async (probe) => {
      const key = probe.uuid();
      const first = await put(probe, key, same);
      const exchange = await put(probe, key, other);
      probe.note('8:other-body', isSame(first, exchange) ? 'replayed' : refusalOf(exchange));
      return (await isNow(probe, exchange, coupon, before)) === null ? null : broken(exchange, 'twice');
    }),
    ifOn('8:at-once', async (probe) => {
      const key = probe.uuid();
      const both = await bothOf(put(probe, key, other), put(probe, key, other));
      const [first, second] = both;
      const done = both.filter(({ answer }) => answer.status === 204);
      const refusal = both.find(({ answer }) => answer.status >= 400);
      probe.note('8:at-once', refusal === undefined ? 'replayed' : refusalOf(refusal));
      const now = done.length > 0 ? await isNow(probe, first, coupon, !before) : hasStatus(first, 204);
      await put(probe, probe.uuid(), same);
      return now ?? (done.length === 2 && !both.some(isReplay) ? broken(second, 'twice') : null);
    }),
    ifOn('8:kept-errors', async (probe) => {
      const key = probe.uuid();
      const [first, second] = [
        await put(probe, key, [[unlikelyId, false]]),
        await put(probe, key, [[unlikelyId, false]]),
      ];
      probe.note('4.7:unknown-product', first.answer.status < 300 ? 'accepted' : refusalOf(first));
      probe.note('2:error-fields', fieldsOfError(first));
      return isSame(first, second) && isReplay(second) ? null : broken(second, 'otherAnswer');
    }),
    ifOn('4.7:halves', (probe) => judgeHalves(probe, coupon)),
    refused('4.7:no-items', (probe) => put(probe, probe.uuid(), '{}')),
    refused('4.7:no-is-enabled', (probe) => put(probe, probe.uuid(), `{"items":[{"product_id":${product}}]}`)),
    refused('4.7:no-product-id', (probe) => put(probe, probe.uuid(), `{"items":[{"is_enabled":${before}}]}`)),
    refused(
      '4.7:no-company',
      (probe) => put(probe, probe.uuid(), same, { [companyHeader]: null }),
      'missing_headers',
      'bad_request',
    ),
    refused('4.7:no-key', (probe) => put(probe, null, same), 'missing_headers', 'bad_request'),
    refused('8:key-length', (probe) => put(probe, `${probe.uuid()} `.padEnd(101, '.'), same)),
    ifOn('4.7:no-sign-in', async (probe) => {
      const exchange = await put(probe, probe.uuid(), same, { Authorization: null });
      return isRefused(exchange, [401]);
    }),
  ];
}

function fieldsOfError({ json }: Exchange): string {
  const meta = at(json, 'meta', 0);
  const names = [...Object.keys(json ?? {}), ...Object.keys(meta ?? {}).map((name) => `meta.${name}`)];
  return names.join(', ');
}
