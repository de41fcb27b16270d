import { intentsOfPlans } from './judge-plans.ts';
import {
  deathsOf,
  foundByPlans,
  isConfirmed,
  isUnkept,
  itemsOf,
  placeOf,
  subjectOf,
  type Run,
  type Violation,
} from './judging.ts';
import type { Exchange } from './network.ts';

/** I10: what a request asks for was asked for by whoever it is sent for, at that company, before it was sent. */
export function checkSenders(run: Run): Violation[] {
  const { evidence, exchanges } = run;
  const asked = [
    ...evidence.intents.filter(({ status }) => status !== 'refused'),
    ...evidence.again,
    ...intentsOfPlans(run),
  ];
  const earliest = new Map<string, number>();
  for (const intent of asked) {
    const name = `${subjectOf(intent)} ${String(intent.isEnabled)}`;
    earliest.set(name, Math.min(intent.atMs, earliest.get(name) ?? Number.POSITIVE_INFINITY));
  }
  const restored = new Map<string, number>();
  for (const { email, companyId, userId, atMs } of evidence.restorations) {
    const name = subjectOf({ email, companyId, productId: userId });
    restored.set(name, Math.min(atMs, restored.get(name) ?? Number.POSITIVE_INFINITY));
  }
  // A sign-out that neither the disk nor the keychain could keep is undone by a restart.
  const isKept = ({ doneAtMs }: { readonly doneAtMs: number }): boolean =>
    evidence.sessionTroubles.filter(({ fromMs, toMs }) => fromMs <= doneAtMs && toMs >= doneAtMs).length < 2;
  const outs = evidence.sittings.flatMap((sitting) => (sitting.what === 'out' && isKept(sitting) ? [sitting] : []));
  const ins = evidence.sittings.filter(({ what }) => what === 'in');
  return exchanges.flatMap((exchange): Violation[] => {
    const { number, key, email, client, companyId, sentAtMs, path } = exchange;
    if (key === null || email === null) {
      return [];
    }
    const foreign = itemsOf(exchange).find(
      ({ productId, isEnabled }) =>
        (earliest.get(`${subjectOf({ email, companyId, productId })} ${String(isEnabled)}`) ??
          Number.POSITIVE_INFINITY) > sentAtMs,
    );
    const userId = /\/users\/(\d+)$/.exec(path)?.[1];
    const isForeignUser =
      userId !== undefined &&
      (restored.get(subjectOf({ email, companyId, productId: userId })) ?? Number.POSITIVE_INFINITY) > sentAtMs;
    const hasLeft = outs.some(
      (out) =>
        out.email === email &&
        (out.client ?? client) === client &&
        out.doneAtMs < sentAtMs &&
        !ins.some(
          (sitting) =>
            sitting.email === email && sitting.startedAtMs >= out.startedAtMs && sitting.startedAtMs <= sentAtMs,
        ),
    );
    return [
      ...(foreign === undefined && !isForeignUser
        ? []
        : [
            {
              rule: 'I10' as const,
              atMs: sentAtMs,
              what: `#${String(number)} goes out for ${email} at ${companyId ?? ''}, who never asked for ${foreign?.productId ?? `user ${userId ?? ''}`}`,
            },
          ]),
      ...(hasLeft
        ? [
            {
              rule: 'I10' as const,
              atMs: sentAtMs,
              what: `#${String(number)} goes out for ${email}, who has signed out`,
            },
          ]
        : []),
    ];
  });
}

/**
 * I3: what one user asked for never goes out over what another has asked for later at this till, and got, unless
 * somebody says so.
 */
export function checkOvertaking({ evidence, referee, exchanges }: Run): Violation[] {
  // A request for the setting that the platform has already does no harm; and a listing that holds only what is on
  // cannot show it.
  const harmful = new Set(
    referee.effects
      .filter(({ before, isEnabled }) => before !== isEnabled)
      .map(({ key, productId }) => `${key ?? ''} ${productId}`),
  );
  const found = foundByPlans(evidence);
  const deaths = deathsOf(evidence);
  const firstSent = new Map<string, number>();
  const delivered = new Map<
    string,
    {
      readonly email: string | null;
      readonly intentMs: number;
      readonly endedAtMs: number;
      readonly isEnabled: boolean;
    }[]
  >();
  const settled: { readonly exchange: Exchange; readonly endedAtMs: number }[] = [];
  for (const exchange of exchanges) {
    if (exchange.key !== null) {
      firstSent.set(exchange.key, Math.min(exchange.sentAtMs, firstSent.get(exchange.key) ?? Number.POSITIVE_INFINITY));
      if (
        exchange.endedAtMs !== null &&
        isConfirmed(exchange) &&
        !isUnkept(evidence, exchange) &&
        deaths.get(exchange.life) !== exchange.endedAtMs
      ) {
        settled.push({ exchange, endedAtMs: exchange.endedAtMs });
      }
    }
  }
  for (const { exchange, endedAtMs } of settled) {
    for (const { productId, isEnabled } of itemsOf(exchange)) {
      const sentMs = firstSent.get(exchange.key ?? '') ?? 0;
      const intent = evidence.intents.findLast(
        (other) =>
          other.status === 'accepted' &&
          other.atMs <= sentMs &&
          other.isEnabled === isEnabled &&
          subjectOf(other) === subjectOf({ ...exchange, productId }),
      );
      if (intent !== undefined) {
        const name = `${exchange.companyId ?? ''} ${productId}`;
        delivered.set(name, [
          ...(delivered.get(name) ?? []),
          { email: exchange.email, intentMs: intent.atMs, endedAtMs, isEnabled },
        ]);
      }
    }
  }
  return exchanges.flatMap((exchange): Violation[] =>
    exchange.key === null || exchange.email === null
      ? []
      : itemsOf(exchange).flatMap(({ productId, isEnabled }): Violation[] => {
          const asked = [...evidence.intents.filter(({ status }) => status !== 'refused'), ...evidence.again].filter(
            (intent) => intent.atMs <= exchange.sentAtMs && subjectOf(intent) === subjectOf({ ...exchange, productId }),
          );
          const latestMs = Math.max(0, ...asked.map(({ atMs }) => atMs));
          const newer = (delivered.get(`${exchange.companyId ?? ''} ${productId}`) ?? []).findLast(
            (other) => other.endedAtMs < exchange.sentAtMs,
          );
          const isOver =
            newer !== undefined &&
            !found.has(placeOf({ companyId: exchange.companyId ?? '', productId })) &&
            harmful.has(`${exchange.key ?? ''} ${productId}`) &&
            newer.email !== exchange.email &&
            newer.isEnabled !== isEnabled &&
            newer.intentMs > latestMs;
          return !isOver
            ? []
            : [
                {
                  rule: 'I3',
                  atMs: exchange.sentAtMs,
                  what: `#${String(exchange.number)} of ${exchange.email ?? ''} goes out over what ${newer.email ?? ''} asked for later of ${productId}`,
                },
              ];
        }),
  );
}

const defaultPauseMs = 1000;
const maxPauseMs = 300_000;
/** So long after a 429 the terminal has certainly not grown back to the whole limit. */
const shrunkForMs = 60_000;
const wholeLimit = 60;

/** The 429s that the terminal got and could keep: it neither died in that moment nor found its disk full. */
export function refusalsOf({
  evidence,
  exchanges,
}: Run): readonly {
  readonly number: number;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
}[] {
  const deaths = deathsOf(evidence);
  return exchanges.flatMap((exchange) => {
    const { number, outcome, endedAtMs, life } = exchange;
    return outcome?.ok === true &&
      outcome.value.status === 429 &&
      endedAtMs !== null &&
      deaths.get(life) !== endedAtMs &&
      !isUnkept(evidence, exchange)
      ? [{ number, atMs: endedAtMs, headers: outcome.value.headers }]
      : [];
  });
}

/** The pause that a 429 with these headers asks for. */
function pauseOf(headers: Readonly<Record<string, string>>): number {
  const text = headers['retry-after'];
  if (text === undefined) {
    return defaultPauseMs;
  }
  return /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.parse(headers['date'] ?? '');
}

/**
 * I13: nothing leaves for as long as a 429 asks for, or for a second when it does not say, whatever is opened anew
 * meanwhile.
 */
export function checkPauses(run: Run): Violation[] {
  return refusalsOf(run).flatMap(({ number, atMs: fromMs, headers }): Violation[] => {
    const askedMs = pauseOf(headers);
    const untilMs = fromMs + Math.min(askedMs, maxPauseMs);
    const hasty = run.exchanges.find(({ sentAtMs }) => sentAtMs > fromMs && sentAtMs < untilMs);
    return hasty === undefined
      ? []
      : [
          {
            rule: 'I13',
            atMs: hasty.sentAtMs,
            what: `#${String(hasty.number)} leaves ${String(hasty.sentAtMs - fromMs)} ms after the 429 of #${String(number)}, which asked for ${String(askedMs)} ms`,
          },
        ];
  });
}

/** I21: a restart within a minute of a 429 does not give the terminal back the whole limit. */
export function checkShrunk(run: Run): Violation[] {
  return refusalsOf(run).flatMap(({ number, atMs: fromMs }): Violation[] => {
    const forgotten = run.evidence.limits.find(
      ({ atMs, limit }) => atMs > fromMs && atMs <= fromMs + shrunkForMs && limit >= wholeLimit,
    );
    return forgotten === undefined
      ? []
      : [
          {
            rule: 'I21',
            atMs: forgotten.atMs,
            what: `${String(forgotten.atMs - fromMs)} ms after the 429 of #${String(number)} the terminal opens with the whole limit`,
          },
        ];
  });
}

/** I26: who did what names whoever was at the screen, and a badge its owner; entries may be missing, none is made up. */
export function checkNames({ evidence, endMs }: Run): Violation[] {
  const nameOf = (email: string | null, productId: string, isEnabled: boolean): string =>
    `${email ?? 'nobody'} ${productId} ${String(isEnabled)}`;
  const left = new Map<string, number>();
  for (const { email, productId, isEnabled, status } of evidence.intents) {
    if (status !== 'refused') {
      const name = nameOf(email, productId, isEnabled);
      left.set(name, (left.get(name) ?? 0) + 1);
    }
  }
  const wrong = evidence.entries.find(({ email, action, isPractice }) => {
    if (action.kind !== 'coupon' || isPractice) {
      return false;
    }
    const name = nameOf(email, action.productId, action.isEnabled);
    left.set(name, (left.get(name) ?? 0) - 1);
    return (left.get(name) ?? 0) < 0;
  });
  const listed =
    wrong === undefined
      ? []
      : [{ atMs: endMs, what: `the list says ${JSON.stringify(wrong)}, which that user never did` }];
  return [...evidence.wrongNames, ...listed].map(({ atMs, what }) => ({ rule: 'I26', atMs, what }));
}
