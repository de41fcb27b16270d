import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { HttpRequest, HttpResponse } from '../../app/ports.ts';
import { openBusyTerminal, platformDate } from './busy-terminal.ts';

export const backlog = 10_000;
const pageSize = 100;
const firstProduct = 1_000_001;
const maxDrainMs = 3_600_000;

export interface DrainFigures {
  /** Requests that carried updates. */
  readonly requests: number;
  /** The longest that any one happening kept the process busy while the backlog went out, and what that was. */
  readonly maxBlockMs: number;
  /** The same as the processor's time: without the waits for the disk, and for other programs. */
  readonly maxBlockCpuMs: number;
  readonly maxOf: string;
  /** From the network's return to the last delivery, in the time of the platform's limit. */
  readonly drainMs: number;
}

/** A platform that has every product, answers at once, and notes what it is asked. */
function createPlatform() {
  const settings = new Map(
    Array.from({ length: backlog }, (_unused, place) => [String(firstProduct + place), place % 2 === 0]),
  );
  const ids = [...settings.keys()];
  let isReachable = true;
  let writes = 0;

  function answer({ method, url, headers, body }: HttpRequest): HttpResponse {
    const { pathname, searchParams } = new URL(url);
    const json = (value: unknown): HttpResponse => ({
      status: 200,
      headers: { 'content-type': 'application/json', date: platformDate() },
      body: JSON.stringify(value),
    });
    if (pathname === '/oauth/token') {
      return json({ access_token: 'access', refresh_token: 'refresh', expires_in: 86_400 });
    }
    if (pathname === '/api/v3/products/consumption-coupons' && method === 'PUT') {
      writes += 1;
      const { items } = JSON.parse(body ?? '') as {
        readonly items: readonly { readonly product_id: number; readonly is_enabled: boolean }[];
      };
      for (const item of items) {
        settings.set(String(item.product_id), item.is_enabled);
      }
      return { status: 204, headers: { 'idempotency-key': headers['Idempotency-Key'] ?? '' }, body: '' };
    }
    if (pathname === '/api/v3/products/consumption-coupons') {
      return json({
        items: [...settings].map(([id, isEnabled]) => ({ product_id: Number(id), is_enabled: isEnabled })),
      });
    }
    const page = Number(searchParams.get('page') ?? '1');
    const perPage = Number(searchParams.get('per_page') ?? '30');
    const wanted = searchParams.has('updated_from') ? [] : ids;
    const products = wanted
      .slice((page - 1) * perPage, page * perPage)
      .map((id) => ({
        id: Number(id),
        name: `Produto de exemplo ${id}`,
        code: id,
        barcode: null,
        unit_of_measure: { code: 'UNID' },
        balance: 7,
      }));
    return json({
      data: { stock_products: products },
      meta: {
        current_page: page,
        last_page: Math.max(1, Math.ceil(wanted.length / perPage)),
        per_page: perPage,
        total: wanted.length,
      },
    });
  }

  return {
    ids,
    settings,
    writes: () => writes,
    setReachable: (reachable: boolean) => {
      isReachable = reachable;
    },
    send: (request: HttpRequest): Result<HttpResponse, Failure> =>
      isReachable ? succeed(answer(request)) : fail({ kind: 'unreachable' }),
  };
}

/** Drains the backlog once, with its databases in this folder. Throws when anything of it was lost. */
export async function measureDrain(directory: string): Promise<DrainFigures> {
  const platform = createPlatform();
  const { world, call, happen, onEvent, state, steps, until, forget, close } = await openBusyTerminal({
    directory,
    platformUrl: 'https://platform.example.com',
    companyId: '4101' as Id,
    stockId: '1' as Id,
    send: platform.send,
  });

  // Each list is read again after a change, one reading at a time, as the renderer does.
  function watch(channel: 'queue:list' | 'coupon:list', input: unknown): () => void {
    let isReading = false;
    let isStale = false;
    const read = (): void => {
      isStale = isReading;
      if (!isReading) {
        isReading = true;
        happen(channel, 1, () => {
          void call(channel, input).then(() => {
            isReading = false;
            if (isStale) {
              read();
            }
          });
        });
      }
    };
    return read;
  }
  const lists: Readonly<Record<string, () => void>> = {
    'queue:changed': watch('queue:list', { statuses: [], offset: 0, limit: pageSize }),
    'coupon:changed': watch('coupon:list', { filter: 'all', offset: 0, limit: pageSize }),
  };
  let areListsShown = false;
  onEvent((event) => {
    if (areListsShown) {
      lists[event]?.();
    }
  });

  try {
    let isSignedIn = false;
    void call('session:signIn', { email: 'till@example.com', password: 'password' }).then((answer) => {
      isSignedIn = answer.ok;
    });
    await until(
      () => isSignedIn && state()?.catalogue.copied === backlog && state()?.catalogue.phase === 'complete',
      maxDrainMs,
    );
    platform.setReachable(false);
    void call('coupon:refresh', {});
    await until(() => state()?.connection.state === 'offline', maxDrainMs);
    for (const [id, isEnabled] of platform.settings) {
      const kept = await call('coupon:switch', { productId: id, isEnabled: !isEnabled });
      if (!kept.ok) {
        throw new Error(kept.failure.kind);
      }
    }
    areListsShown = true;
    await until(() => state()?.queue.pending === backlog, maxDrainMs);
    forget();
    const writesBefore = platform.writes();
    const startedAtMs = world.nowMs();
    platform.setReachable(true);
    await until(() => state()?.queue.delivered === backlog, maxDrainMs);
    if (platform.ids.some((id, place) => platform.settings.get(id) !== (place % 2 === 1))) {
      throw new Error('an update was lost');
    }
    const [longest] = steps().toSorted((left, right) => right.wallMs - left.wallMs);
    return {
      requests: platform.writes() - writesBefore,
      maxBlockMs: longest?.wallMs ?? Number.NaN,
      maxBlockCpuMs: Math.max(...steps().map((step) => step.cpuMs)),
      maxOf: longest?.name ?? '',
      drainMs: world.nowMs() - startedAtMs,
    };
  } finally {
    await close();
  }
}
