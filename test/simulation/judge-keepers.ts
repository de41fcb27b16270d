import type { Evidence, Restoration } from './evidence.ts';
import { isSpanUnknown } from './judge-ages.ts';
import { deathsOf, keyOldMs, laneOf, verdictOf, type Run, type SignInsOfStore, type Violation } from './judging.ts';
import type { Exchange } from './network.ts';

/** The longest that the keychain takes to keep what a refresh brought. */
const keepingMs = 100;

/** I6 */
export function checkRefreshes({ evidence, exchanges, endMs }: Run): Violation[] {
  const deaths = deathsOf(evidence);
  const refreshes = exchanges.filter(({ isRefresh }) => isRefresh);
  return refreshes.flatMap((refresh, place): Violation[] => {
    const before = refreshes[place - 1];
    const beforeEndMs = before?.endedAtMs ?? deaths.get(before?.life ?? 0) ?? endMs;
    // Whoever has come since has a session, and so a refresh token, of their own.
    const isOfOther = before !== undefined && before.body !== refresh.body;
    return before !== undefined && before.life === refresh.life && refresh.sentAtMs < beforeEndMs && !isOfOther
      ? [
          {
            rule: 'I6',
            atMs: refresh.sentAtMs,
            what: `#${String(refresh.number)} refreshes while #${String(before.number)} does`,
          },
        ]
      : [];
  });
}

function isWhole({ outcome }: Exchange): boolean {
  if (outcome?.ok !== true || outcome.value.status !== 200) {
    return false;
  }
  try {
    JSON.parse(outcome.value.body);
    return true;
  } catch {
    return false;
  }
}

/** I12, at one platform. */
function checkEndingsAt(evidence: Evidence, { emails, exchanges, rules, tokens }: SignInsOfStore): Violation[] {
  const deaths = deathsOf(evidence);
  // A check of the platform asks there with GET, too, for nobody.
  const all = exchanges.filter(({ method, path }) => method === 'POST' && path === '/oauth/token');
  /** An event comes a moment after what it tells of. */
  const isSignedOut = (atMs: number, email: string): boolean =>
    evidence.sittings.some(
      (sitting) =>
        sitting.what === 'out' &&
        sitting.email === email &&
        sitting.startedAtMs <= atMs &&
        atMs <= sitting.doneAtMs + keepingMs,
    );
  const isOver = (since: Exchange, atMs: number): boolean =>
    evidence.connections.some(({ startedAtMs, doneAtMs }) => startedAtMs <= atMs && doneAtMs >= since.sentAtMs);
  const isKeptBy = (exchange: Exchange): boolean =>
    isWhole(exchange) &&
    (deaths.get(exchange.life) ?? Number.POSITIVE_INFINITY) - (exchange.endedAtMs ?? 0) > keepingMs;
  /**
   * The platform gives a lost answer again to the same key, which the terminal keeps while it runs, whoever else renews
   * meanwhile; no other answer of this platform spends it.
   */
  const isReplayed = (lost: Exchange, asked: readonly Exchange[], atMs: number): boolean => {
    const isSameLife =
      (deaths.get(lost.life) ?? Number.POSITIVE_INFINITY) > atMs &&
      !exchanges.some(({ life, sentAtMs }) => life > lost.life && sentAtMs <= atMs);
    const isGivenAgain = asked.some(
      (later) =>
        later.life === lost.life && later.body === lost.body && later.sentAtMs > lost.sentAtMs && isKeptBy(later),
    );
    const canBeGiven = rules.keys === 'replayed' && lost.isRefresh && !isOver(lost, atMs);
    return canBeGiven && (isSameLife || isGivenAgain);
  };
  const endings = evidence.endings.filter(({ email }) => emails.includes(email));
  return endings.flatMap(({ atMs, email }): Violation[] => {
    const asked = all.filter(({ body }) => tokens.asksFor(body) === email);
    const sinceMs =
      asked.findLast(
        (exchange) =>
          exchange.endedAtMs !== null &&
          exchange.endedAtMs <= atMs &&
          isWhole(exchange) &&
          exchange.body.includes(`"${email}"`),
      )?.sentAtMs ?? 0;
    // The platform gave a new refresh token, and the terminal never got it, or died before it could keep it.
    const isLost = asked.some(
      (exchange) =>
        exchange.sentAtMs >= sinceMs &&
        exchange.sentAtMs <= atMs &&
        exchange.answeredWith === 200 &&
        !isKeptBy(exchange) &&
        !isReplayed(exchange, asked, atMs),
    );
    const isTroubled = evidence.sessionTroubles.some(({ fromMs, toMs }) => fromMs <= atMs && toMs >= sinceMs);
    const isOvertaken = tokens.overtaken.some((one) => one.email === email && one.atMs >= sinceMs && one.atMs <= atMs);
    return isLost || isTroubled || isOvertaken || isSignedOut(atMs, email)
      ? []
      : [{ rule: 'I12', atMs, what: `${email} is asked to sign in again without a cause` }];
  });
}

/**
 * I12. What ends a sign-in of the practice store is found among what was sent to that store: a machine that falls asleep
 * loses its answers, too.
 */
export function checkEndings({ evidence, exchanges, referee, practice }: Run): Violation[] {
  const practising = practice?.emails ?? [];
  const emails = evidence.endings.map(({ email }) => email).filter((email) => !practising.includes(email));
  return [
    ...checkEndingsAt(evidence, { emails, exchanges, rules: referee.rules.tokens, tokens: referee.tokens }),
    ...(practice === null ? [] : checkEndingsAt(evidence, practice)),
  ];
}

/** I11 */
export function checkDamage({ evidence, exchanges }: Run): Violation[] {
  return evidence.damages.flatMap(({ atMs, damage }): Violation[] => {
    if (damage.kind === 'request') {
      const sent = exchanges.find(
        ({ key, body, sentAtMs }) => sentAtMs >= atMs && key === damage.idempotencyKey && body === damage.body,
      );
      return sent === undefined
        ? []
        : [
            {
              rule: 'I11',
              atMs: sent.sentAtMs,
              what: `#${String(sent.number)} is a request that was altered on the disk`,
            },
          ];
    }
    const row = [...evidence.rows, ...evidence.restorationRows].find(({ id }) => id === damage.updateId);
    return row?.status === 'delivered'
      ? [{ rule: 'I11', atMs, what: `update ${String(row.id)} was altered on the disk and is delivered` }]
      : [];
  });
}

/**
 * Whether by then a restoration may have been done and its key cannot be sent again: an answer left it open, its
 * request was altered, or it was sent too long ago or by another client.
 */
export function isDoubtful({ evidence, exchanges }: Run, update: Restoration, atMs: number): boolean {
  const tried = exchanges.filter(
    (exchange) =>
      exchange.key !== null &&
      exchange.path.endsWith(`/users/${update.userId}`) &&
      laneOf(exchange) === laneOf(update) &&
      exchange.sentAtMs <= atMs,
  );
  // An attempt that is on disk, and whose first byte never left: the terminal ended between the two, and cannot know
  // it.
  const askedAtMs = evidence.restorations.find(
    (asked) => asked.userId === update.userId && laneOf(asked) === laneOf(update),
  )?.atMs;
  const sinceMs = (update.attempts > tried.length ? askedAtMs : tried[0]?.sentAtMs) ?? Number.POSITIVE_INFINITY;
  const isLeftOpen = tried.some((exchange, place) => {
    const status = exchange.outcome?.ok === true ? exchange.outcome.value.status : 0;
    return (
      status >= 500 ||
      (status > 0 && verdictOf(exchange) === 'unsigned') ||
      (place > 0 && (status === 401 || status === 429))
    );
  });
  const isAltered = evidence.damages.some(
    ({ atMs: alteredMs, damage }) => alteredMs >= sinceMs && damage.kind === 'request',
  );
  // Its key is good for the client that has sent it.
  const hasOtherAsked = exchanges.some(
    ({ client, sentAtMs }) =>
      client !== null && sentAtMs > sinceMs && sentAtMs <= atMs && tried.some((one) => one.client !== client),
  );
  const isForgotten = isAltered || hasOtherAsked || isSpanUnknown(evidence, sinceMs, atMs) || atMs - sinceMs > keyOldMs;
  return sinceMs < atMs && (isLeftOpen || isForgotten);
}

/** I1, I2 and I9 for restorations (API v3 §4.8). */
export function checkRestorations({ evidence, referee, busyUsers, endMs }: Run): Violation[] {
  const damaged = new Set(
    evidence.damages.flatMap(({ damage }) => (damage.kind === 'update' ? damage.subjectIds : [])),
  );
  const nameOf = (value: {
    readonly email: string | null;
    readonly companyId: string | null;
    readonly userId: string;
  }): string => `${laneOf(value)} ${value.userId}`;
  const asked = Map.groupBy(
    evidence.restorations.filter(({ status }) => status !== 'refused'),
    nameOf,
  );
  const again = Map.groupBy(evidence.restoredAgain, nameOf);
  const rows = Map.groupBy(evidence.restorationRows, nameOf);
  const effects = Map.groupBy(
    referee.users.changes.filter(({ key }) => key !== null),
    nameOf,
  );
  return [...new Set([...asked.keys(), ...rows.keys(), ...effects.keys()])].flatMap((name): Violation[] => {
    const [intents, kept, done] = [asked.get(name) ?? [], rows.get(name) ?? [], effects.get(name) ?? []];
    const userId = name.slice(name.lastIndexOf(' ') + 1);
    if (damaged.has(userId)) {
      return [];
    }
    const violations: Violation[] = [];
    const isAccepted = intents.some(({ status }) => status === 'accepted');
    if (kept.length > intents.length || (isAccepted && kept.length === 0)) {
      violations.push({
        rule: 'I1',
        atMs: endMs,
        what: `${name}: ${String(intents.length)} wishes, ${String(kept.length)} restorations`,
      });
    }
    const ofTheTill = done.filter(({ key }) => !referee.forgotten.has(key ?? ''));
    if (ofTheTill.length > intents.length + (again.get(name)?.length ?? 0)) {
      violations.push({
        rule: 'I2',
        atMs: ofTheTill.at(-1)?.atMs ?? endMs,
        what: `${name}: ${String(intents.length)} wishes, and was restored ${String(ofTheTill.length)} times`,
      });
    }
    // A switch of this till's own must not be shown as refused.
    const isReported = kept.some(({ status, parkedBecause }) => status !== 'parked' || parkedBecause !== 'refused');
    if (
      ofTheTill.length > 0 &&
      kept.length > 0 &&
      !isReported &&
      !busyUsers.has(userId) &&
      referee.forgotten.size === 0
    ) {
      violations.push({ rule: 'I9', atMs: endMs, what: `${name} was restored and is shown as refused` });
    }
    return violations;
  });
}
