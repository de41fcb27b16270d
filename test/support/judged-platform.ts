// The training platform as the kit of app/conformance sees it: in this process, under a clock that jumps over every
// wait, with a machine in between that may change what passes.
import type { Send, WireRequest } from '../../app/conformance/http-send.ts';
import { judgePlatform, type Report, type Run } from '../../app/conformance/run.ts';
import { Products } from '../../app/training/data/products.ts';
import { openTrainingRepository } from '../../app/training/data/repository.ts';
import { applications, places, users } from '../../app/training/data/world.ts';
import { TrainingService } from '../../app/training/service.ts';
import type { Variants } from '../../app/training/options/variants.ts';

export type Between = (request: WireRequest, next: Send) => ReturnType<Send>;

export interface JudgedPlatform {
  readonly service: TrainingService;
  /** When each request arrived, in milliseconds. */
  readonly arrivals: readonly number[];
  judge(run?: Partial<Run>, between?: Between): Promise<Report>;
}

/** A product whose coupon is on at first. */
export const couponProduct = '1000001';

/** Opens a training platform with so many products in its stock. */
export async function openJudgedPlatform(
  variants: Partial<Variants> = {},
  { productCount = 130, latencyMs = 0 } = {},
): Promise<JudgedPlatform> {
  let now = Date.UTC(2026, 2, 2, 12);
  let count = 0;
  const arrivals: number[] = [];
  const repository = await openTrainingRepository(null, now);
  const service = new TrainingService(repository, new Products(productCount, 1), () => now, variants);
  // Sold to the last one: a zero that has moved.
  service.changeBalance(places.stockIds[0] ?? '', String(service.products.idAt(7)), 0);
  const base = 'http://127.0.0.1';
  const send: Send = async ({ method, url, headers, body }) => {
    now += latencyMs;
    arrivals.push(now);
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const { answer, wire } = await service.handle({
      method,
      target: url.slice(base.length),
      headers: lower,
      body: body ?? '',
    });
    if (wire === 'dropped' || wire === 'hanging') return wire;
    const text = wire === 'truncated' ? answer.body.slice(0, answer.body.length / 2) : answer.body;
    return { status: answer.status, headers: answer.headers, text };
  };
  const [application] = applications;
  const [user] = users;
  return {
    service,
    arrivals,
    judge: (run = {}, between = (request, next) => next(request)) =>
      judgePlatform({
        target: {
          url: base,
          clientId: application.clientId,
          clientSecret: application.clientSecret,
          email: user.email,
          password: user.password,
          company: places.companyId,
          stock: places.stockIds[0],
        },
        maySwitch: couponProduct,
        hasOneCompany: false,
        perMinute: 30,
        send: (request) => between(request, send),
        timing: {
          now: () => now,
          wait: (ms) => {
            now += Math.max(1, Math.ceil(ms));
            return Promise.resolve();
          },
        },
        uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
        signal: new AbortController().signal,
        tell: () => undefined,
        ...run,
      }),
  };
}
