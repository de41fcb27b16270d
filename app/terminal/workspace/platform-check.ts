// "Check this platform": the conformance kit's reading part, with the open shop's own sign-in. Its requests are spare
// ones (B8 of app/rate-limit): they wait for everybody else, and never use more than half of the limit.
import type { Language } from '../../contract/basics.ts';
import type { HandlersOf, WithOpen } from '../../contract/bridge.ts';
import type { PlatformCheck as Reading } from '../../contract/platform-check.ts';
import type { Send } from '../../conformance/http-send.ts';
import { linesIn, writeReport } from '../../conformance/report.ts';
import { judgePlatform, type Report } from '../../conformance/run.ts';
import { fileMinute } from '../../domain/days.ts';
import { isNetworkFailure, type Failure } from '../../domain/failure.ts';
import { succeed } from '../../domain/result.ts';
import { isTokenOf } from '../../platform/access-token.ts';
import { failureOf, isPage } from '../../platform/answer.ts';
import { probePlatform } from '../../platform/connection-test.ts';
import { createExchange } from '../../platform/exchange.ts';
import type { RateLimit } from '../../rate-limit/rate-limit.ts';
import type { Session } from '../../session/session.ts';
import { wait } from '../../storage/pause.ts';
import type { ShopContext } from './context.ts';

/** A page of the document has a tenth of it. Looking through a larger one would hold up a scan. */
const maxAnswerLength = 1024 * 1024;

/** The check of one shop; what it found goes with the shop. */
export type PlatformCheck = ReturnType<typeof openPlatformCheck>;

type State =
  | Exclude<Reading, { readonly state: 'ended' }>
  | { readonly state: 'ended'; readonly endedAt: number; readonly report: Report };

type Parts = Pick<ShopContext, 'ports' | 'target' | 'pause' | 'offsetMinutes' | 'onAbort' | 'logOf'> & {
  readonly session: Session;
  readonly rateLimit: RateLimit;
};

/** Nothing that a platform is asked on purpose speaks for or against the shop's way to it. */
const unheard = { begin: () => ({ left: () => undefined, end: () => undefined }) };

/** One run, until its end or the signal; a failure says why the platform could not be judged. */
async function judge(
  { ports: { clock, random, http }, target, pause, session, rateLimit }: Parts,
  ending: AbortController,
  tell: (done: number, all: number) => void,
): Promise<Report | Failure> {
  const user = session.user();
  const url = target.platformUrl;
  let failure: Failure | null = null;
  const end = (why: Failure): null => {
    failure ??= why;
    ending.abort();
    return null;
  };
  const spare: Pick<RateLimit, 'take'> = {
    take: (lane) => rateLimit.take(lane, ending.signal, { kind: 'connection', subject: null }, true),
  };
  const exchange = createExchange(http, url, unheard, ending.signal, () => clock.now());
  /** Tells a lost network, or somebody else's answers, from a platform that leaves a question without an answer. */
  const findPlatform = async (): Promise<void> => {
    const found = await probePlatform(exchange, spare, 'catalogue');
    // Without a status it is this terminal's own, such as a full disk.
    if (!found.ok && (isNetworkFailure(found.failure) || !('status' in found.failure))) end(found.failure);
  };
  let unanswered = 0;
  const send: Send = async ({ url: address, headers }) => {
    const slot = await spare.take('catalogue');
    if (!slot.ok) return slot.failure.kind;
    // The kit writes the headers: without this a refusal that quotes the token would be shown with it.
    const [, token = ''] = (headers['Authorization'] ?? '').split(' ');
    const path = address.slice(url.length);
    const answer = await exchange({ slot: slot.value, method: 'GET', path, headers, secrets: [token] });
    if (!answer.ok) {
      if (answer.failure.kind === 'answerTooLarge') end(answer.failure);
      unanswered += 1;
      // The kit repeats a question once.
      if (unanswered % 2 === 0) await findPlatform();
      return answer.failure.message ?? answer.failure.kind;
    }
    unanswered = 0;
    const { status, body, headers: answered } = answer.value;
    const refusal = failureOf(answer.value);
    if (status === 429) {
      // With half of the limit it is another program's, or the limit is a smaller one.
      rateLimit.slowDown(refusal.retryAfterMs);
      end(refusal);
    } else if (isPage(answer.value) || refusal.kind === 'notThePlatform') {
      await findPlatform();
    }
    if (body.length > maxAnswerLength) end({ kind: 'answerTooLarge' });
    return { status, headers: answered, text: body.length > maxAnswerLength ? '' : body };
  };
  const { limit, windowMs } = target.rateLimitRules();
  const perMinute = Math.floor((limit * 30_000) / windowMs);
  // Half of it is nothing.
  if (perMinute === 0) return { kind: 'tooManyRequests' };
  await findPlatform();
  const report = await judgePlatform({
    target: {
      url,
      company: target.companyId,
      stock: target.stockIds[0] ?? '',
      email: user ?? '',
      access: async (refused) => {
        const token = refused === null ? await session.accessToken() : await session.renew(refused);
        if (!token.ok) return end(token.failure);
        return isTokenOf(token.value, user) ? token.value.text : end({ kind: 'userChanged' });
      },
    },
    maySwitch: null,
    hasOneCompany: false,
    perMinute,
    pace: () => Promise.resolve(() => undefined),
    send,
    timing: { now: () => clock.uptimeMs(), wait: (ms) => wait(clock, ms, ending.signal) },
    uuid: () => random.uuid(),
    signal: ending.signal,
    rest: pause,
    tell: (news) => {
      if (news.kind === 'asking') tell(news.done, news.all);
    },
  });
  return failure ?? report;
}

/** Makes the check of a shop's platform; nothing is sent yet. */
export function openPlatformCheck(parts: Parts) {
  const { ports, session, offsetMinutes, onAbort, logOf } = parts;
  let state: State = { state: 'none' };
  let ending: AbortController | null = null;

  function forget(): void {
    // What comes in later finds another run, or none.
    const stopped = ending;
    [ending, state] = [null, { state: 'none' }];
    stopped?.abort();
  }

  async function run(own: AbortController): Promise<void> {
    const isOn = (): boolean => ending === own;
    const outcome = await judge(parts, own, (done, all) => {
      if (isOn()) state = { state: 'running', done, all };
    }).catch((error: unknown): Failure => {
      logOf('platform check')('failed', { reason: String(error) });
      return { kind: 'unexpected' };
    });
    if (isOn()) {
      ending = null;
      state =
        'lines' in outcome
          ? { state: 'ended', endedAt: ports.clock.now(), report: outcome }
          : { state: 'failed', failure: outcome };
    }
  }

  onAbort(forget);
  let user = session.user();
  session.onChange(() => {
    if (session.user() !== user) forget();
    user = session.user();
  });
  return {
    /** Does nothing while one is under way. */
    start: () => {
      if (ending !== null) return;
      ending = new AbortController();
      state = { state: 'running', done: 0, all: 0 };
      void run(ending);
    },
    /** Nothing is left of the one that is under way. */
    stop: () => {
      if (ending !== null) forget();
    },
    read: (language: Language): Reading => {
      if (state.state !== 'ended') return state;
      const { endedAt, report } = state;
      const name = `tillside-platform-${fileMinute(endedAt, offsetMinutes(endedAt))}.txt`;
      return {
        state: 'ended',
        endedAt,
        lines: linesIn(report, language),
        file: { name, text: writeReport(report, language) },
      };
    },
  };
}

/** Answers the calls about the check. */
export function createPlatformCheckHandlers(
  withOpen: WithOpen<{ readonly platformCheck: PlatformCheck }>,
): HandlersOf<'platformCheck'> {
  return {
    'platformCheck:start': () =>
      withOpen(({ platformCheck }) => {
        platformCheck.start();
        return succeed({});
      }),
    'platformCheck:stop': () =>
      withOpen(({ platformCheck }) => {
        platformCheck.stop();
        return succeed({});
      }),
    'platformCheck:read': ({ language }) => withOpen(({ platformCheck }) => succeed(platformCheck.read(language))),
  };
}
