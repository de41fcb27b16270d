import { redactText, shapesOfPeople } from '../domain/redact.ts';
import { broken, untold, type Check, type Complaint, type EveryAnswer } from './check.ts';
import { everyAnswerChecks, moreFieldsIn, offsetsIn } from './checks/every-answer.ts';
import { listingChecks } from './checks/listing.ts';
import { gateChecks, signInChecks } from './checks/sign-in.ts';
import { couponChecks, stockChecks, withCompany } from './checks/stock.ts';
import { putBack, readSetting, switchingChecks, type Switch } from './checks/switching.ts';
import type { Send } from './http-send.ts';
import { createPace, type Pace, type Timing } from './pace.ts';
import { NoAnswer, Probe, readKept, Stopped, type Exchange, type Target } from './probe.ts';
import { words, type Reason } from './words.ts';

/** What a run tells while it goes on. */
export type News =
  | { readonly kind: 'asking'; readonly done: number; readonly all: number }
  | { readonly kind: 'waiting'; readonly ms: number }
  | { readonly kind: 'switching'; readonly product: string; readonly before: boolean };

export interface Run {
  readonly target: Target;
  /** The product whose coupon may be switched; null for none. */
  readonly maySwitch: string | null;
  /** The account has one company alone, whose coupons are listed whether or not it is named. */
  readonly hasOneCompany: boolean;
  readonly perMinute: number;
  /** Asked in the place of the kit's own pace. */
  readonly pace?: Pace;
  readonly send: Send;
  readonly timing: Timing;
  readonly uuid: () => string;
  /** Ends the run; what was switched is put back first. */
  readonly signal: AbortSignal;
  readonly tell: (news: News) => void;
  /** Lets everything else in this process have its turn. */
  readonly rest?: () => Promise<unknown>;
}

/** A request or an answer as a report may show it. */
export interface Shown {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Line {
  readonly id: string;
  readonly verdict: 'kept' | 'broken' | 'untold';
  readonly why: Reason | null;
  readonly request: Shown | null;
  readonly answer: Shown | null;
}

export interface Report {
  readonly url: string;
  readonly company: string;
  readonly stock: string;
  readonly perMinute: number;
  readonly requests: number;
  readonly seconds: number;
  /** `notJudged`: nothing is broken, but the run came to no end. */
  readonly outcome: 'kept' | 'broken' | 'notJudged';
  /** Why the run came to no end. */
  readonly why: Reason | null;
  readonly lines: readonly Line[];
  /** Everything that the document leaves open; `untold` where this run could not see how it is read. */
  readonly readings: readonly { readonly id: string; readonly value: string }[];
}

const maxShown = 600;
const shownHeaders =
  /^(?:content-type|accept|retry-after|idempotency-.*|service-company-id|.*ratelimit.*|allow|date)$/i;

/** Lines that no run can judge, and why. */
const neverTold: readonly (readonly [id: string, why: Reason['key']])[] = [
  ['4.8:restore', 'wouldChange'],
  ['4.9:categories', 'wouldChange'],
  ['8:window', 'notExceeded'],
];

/** What a platform has said, without what must not leave the shop. */
function clean(probe: Probe, text: string): string {
  return redactText(probe.withoutSecrets(text), { withoutPeople: true, more: shapesOfPeople([probe.target.email]) });
}

function cleanReason(probe: Probe, { key, params }: Reason): Reason {
  return { key, params: Object.fromEntries(Object.entries(params).map(([name, text]) => [name, clean(probe, text)])) };
}

function show(probe: Probe, line: string, headers: Readonly<Record<string, string>>, body: string): Shown {
  const kept = Object.entries(headers).filter(([name]) => shownHeaders.test(name));
  return {
    line: clean(probe, line),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, clean(probe, value)])),
    body: clean(probe, body).slice(0, maxShown),
  };
}

function lineOf(probe: Probe, id: string, complaint: Complaint | null): Line {
  if (complaint === null) return { id, verdict: 'kept', why: null, request: null, answer: null };
  const exchange: Exchange | null = complaint.kind === 'broken' ? complaint.exchange : null;
  const { request, answer } = exchange ?? { request: null, answer: null };
  return {
    id,
    verdict: complaint.kind,
    why: cleanReason(probe, complaint.why),
    request: request && show(probe, `${request.method} ${request.url}`, request.headers, request.body ?? ''),
    answer: answer && show(probe, String(answer.status), answer.headers, answer.text),
  };
}

/** Judges one line; a run that is stopped rejects with `Stopped`. */
async function judge(probe: Probe, { isMoving = false, judge: look }: Check): Promise<Complaint | null> {
  try {
    const first = await look(probe);
    if (!isMoving || first?.kind !== 'broken') return first;
    probe.forget();
    return await look(probe);
  } catch (error) {
    if (error instanceof NoAnswer) return untold('noAnswer', { reason: error.message });
    throw error;
  }
}

/** Why the coupon of this product is not switched; otherwise how it stands. */
async function mayBeSwitched(probe: Probe, product: string, hasOneCompany: boolean): Promise<Switch | Reason['key']> {
  if (probe.readings.get(withCompany) !== 'own' && !hasOneCompany) return 'otherCompany';
  const before = await readSetting(probe, product).catch((error: unknown) => {
    if (error instanceof NoAnswer) return null;
    throw error;
  });
  return before === null ? 'notSet' : { product, before };
}

/** Signs in; the reason why that is not possible with what was given. */
async function signIn(probe: Probe): Promise<Reason | null> {
  if ('access' in probe.target) return (await probe.renew(null)) ? null : { key: 'noToken', params: {} };
  try {
    probe.signIn = await probe.token();
  } catch (error) {
    if (error instanceof NoAnswer) return { key: 'unreachable', params: { reason: error.message } };
    throw error;
  }
  const { status } = probe.signIn.answer;
  if (probe.use(probe.signIn)) return null;
  return status < 400 ? { key: 'noToken', params: {} } : { key: 'signInRefused', params: { status: String(status) } };
}

function noteAtEnd(probe: Probe, offsets: ReadonlySet<string>, moreFields: ReadonlySet<string>): void {
  probe.note('2:time-zone', [...offsets].join(', ') || 'notSaid');
  probe.note('2:more-fields', [...moreFields].join(', ') || 'none');
  const limits = probe.exchanges.flatMap(({ answer }) =>
    Object.keys(answer.headers).filter((name) => /ratelimit/.test(name)),
  );
  probe.note('8:limit-headers', [...new Set(limits)].join(', ') || 'none');
  const refused = probe.exchanges.find(({ answer }) => answer.status === 429);
  if (refused !== undefined) probe.note('8:retry-after', refused.answer.headers['retry-after'] ?? 'none');
}

/** What is wrong with any of the answers, and the offsets and further fields in them. */
async function lookThrough(probe: Probe, rest: Run['rest']) {
  const complaints = new Map<EveryAnswer['id'], Complaint>();
  const [offsets, moreFields] = [new Set<string>(), new Set<string>()];
  for (const kept of probe.exchanges) {
    const exchange = readKept(kept);
    for (const { id, judge: look } of everyAnswerChecks) {
      const complaint = complaints.has(id) ? null : look(exchange);
      if (complaint !== null) complaints.set(id, complaint);
    }
    for (const offset of offsetsIn(exchange)) offsets.add(offset);
    for (const name of moreFieldsIn(exchange)) moreFields.add(name);
    await rest?.();
  }
  return { complaints, offsets, moreFields };
}

/** What holds for each answer that came; of a run without an end only what is broken is certain. */
function judgeEveryAnswer(
  probe: Probe,
  complaints: ReadonlyMap<string, Complaint>,
  why: Reason | null,
): readonly Line[] {
  const whyUntold: Complaint | null = why && { kind: 'untold', why };
  const isExceeded = probe.exchanges.some(({ answer }) => answer.status === 429);
  const lines = everyAnswerChecks.map(({ id }) => {
    const unseen = id === '7:too-many' && !isExceeded ? untold('notExceeded') : whyUntold;
    return lineOf(probe, id, complaints.get(id) ?? unseen);
  });
  const [lost] = probe.unanswered;
  if (lost === undefined || why?.key === 'unreachable') return [...lines, lineOf(probe, '1:answered', whyUntold)];
  const { method, url, headers, body } = lost.request;
  const request = show(probe, `${method} ${url}`, headers, body ?? '');
  return [...lines, { ...lineOf(probe, '1:answered', broken(null, 'noAnswer', { reason: lost.why })), request }];
}

/**
 * Judges a platform by API v3, one request after another. It switches nothing unless `maySwitch` names a product, whose
 * coupon is as it was when this ends, or the line `4.7:put-back` is broken. Never rejects for what a platform says.
 */
export async function judgePlatform(run: Run): Promise<Report> {
  const { target, maySwitch, timing, tell, signal } = run;
  const startedAt = timing.now();
  const pace =
    run.pace ??
    createPace(run.perMinute, timing, (ms) => {
      tell({ kind: 'waiting', ms });
    });
  const probe = new Probe(target, { send: run.send, pace, wait: timing.wait, uuid: run.uuid, signal });
  const lines: Line[] = [];
  const isSignedIn = 'access' in target;
  const triedChecks = [...gateChecks, ...listingChecks, ...stockChecks, ...couponChecks];
  const readingChecks = isSignedIn ? triedChecks : [...signInChecks, ...triedChecks];
  const switching = (coupon: Switch): readonly Check[] => switchingChecks(coupon);
  const all = readingChecks.length + (maySwitch === null ? 0 : switching({ product: '', before: false }).length);
  const judgeAll = async (checks: readonly Check[]): Promise<void> => {
    for (const check of checks) {
      tell({ kind: 'asking', done: lines.length, all });
      lines.push(lineOf(probe, check.id, await judge(probe, check)));
      await run.rest?.();
    }
  };
  const leaveOut = (why: Reason): void => {
    const judged = new Set(lines.map(({ id }) => id));
    const left = [...readingChecks, ...switching({ product: '', before: false })].filter(({ id }) => !judged.has(id));
    lines.push(...left.map(({ id }) => lineOf(probe, id, { kind: 'untold', why })));
  };
  let why: Reason | null = null;
  try {
    why = await signIn(probe);
    if (why?.key === 'noToken' && !isSignedIn) await judgeAll(signInChecks.slice(0, 1));
    if (why === null) {
      await judgeAll(readingChecks);
      if (maySwitch !== null) {
        const coupon = await mayBeSwitched(probe, maySwitch, run.hasOneCompany);
        if (typeof coupon === 'string') leaveOut({ key: coupon, params: { product: maySwitch } });
        else await switchAndPutBack(coupon);
      }
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    why = { key: 'stopped', params: {} };
  }

  async function switchAndPutBack(coupon: Switch): Promise<void> {
    tell({ kind: 'switching', ...coupon });
    try {
      await judgeAll(switching(coupon));
    } finally {
      probe.isPuttingBack = true;
      const isBack = await putBack(probe, coupon, (ms) => {
        tell({ kind: 'waiting', ms });
        return timing.wait(ms, null);
      });
      const params = { product: coupon.product, before: coupon.before ? 'ON' : 'OFF' };
      lines.push(lineOf(probe, '4.7:put-back', isBack ? null : broken(null, 'notBack', params)));
    }
  }

  leaveOut(why ?? { key: 'needsSwitch', params: {} });
  if (isSignedIn) lines.push(...signInChecks.map(({ id }) => lineOf(probe, id, untold('needsPassword'))));
  lines.push(...neverTold.map(([id, key]) => lineOf(probe, id, untold(key))));
  const { complaints, offsets, moreFields } = await lookThrough(probe, run.rest);
  lines.push(...judgeEveryAnswer(probe, complaints, why));
  noteAtEnd(probe, offsets, moreFields);
  const isBroken = lines.some(({ verdict }) => verdict === 'broken');
  const unbroken = why === null ? 'kept' : 'notJudged';
  return {
    url: target.url,
    company: target.company,
    stock: target.stock,
    perMinute: run.perMinute,
    requests: probe.exchanges.length + probe.unanswered.length,
    seconds: Math.round((timing.now() - startedAt) / 1000),
    outcome: isBroken ? 'broken' : unbroken,
    why,
    lines: lines.toSorted((left, right) => sectionOf(left.id) - sectionOf(right.id)),
    readings: Object.keys(words.en.reading)
      .map((id) => ({ id, value: clean(probe, probe.readings.get(id) ?? 'untold') }))
      .toSorted((left, right) => sectionOf(left.id) - sectionOf(right.id)),
  };
}

/** The section of the document that a line or reading is of, e.g. 4.3. */
export function sectionOf(id: string): number {
  return Number(id.split(':')[0]);
}
