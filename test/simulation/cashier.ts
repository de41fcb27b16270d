import { isDeepStrictEqual } from 'node:util';
import { clientSecretName } from '../../app/session/client-secret.ts';
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { CouponRow } from '../../app/contract/coupons.ts';
import type { Profile } from '../../app/contract/profiles.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { CashierWorld, Shop } from './cashier-world.ts';
import { couponsOf, type Intent, type Restoration, type RestorationIntent } from './evidence.ts';
import { createRounds } from './rounds.ts';
import { createUndos } from './undos.ts';

/** The actions that a cashier may take next, and how often compared with the others. */
export type Habits = Readonly<
  Partial<
    Record<
      | 'scan'
      | 'switch'
      | 'churn'
      | 'contend'
      | 'burst'
      | 'tidy'
      | 'refresh'
      | 'copy'
      | 'ask'
      | 'changeUser'
      | 'restore'
      | 'changeShop',
      number
    >
  >
>;

interface Cashiers {
  /** From now on one of them does something at about this distance. */
  work(habits: Habits, meanGapMs: number): void;
  rest(): void;
  /** The other one takes the till until this is done, and gives it back a moment later. */
  relieve(done: Promise<unknown>): void;
  /** Makes sure that this user is signed in at this company, as far as that is possible now. */
  insist(email: string, companyId: string): void;
  /** How many updates somebody is still about to bring back. */
  undosLeft(): number;
  /** Nobody is at the till any more: who has a badge leaves it locked. */
  leave(): void;
  /** Reads how many of those wait whose user may come back without a password; null when it cannot be seen. */
  waitingOfKept(): Promise<number | null>;
  /** Reads whether anything of the signed-in user still waits; null when it cannot be seen. */
  waiting(): Promise<number | null>;
  /**
   * Reads the settings anew and answers the products that are shown as confirmed otherwise than they are; null when it
   * cannot be seen.
   */
  misshown(enabled: () => ReadonlySet<string>): Promise<readonly string[] | null>;
  /** Reads all updates, oldest first. */
  readRows(): Promise<void>;
}

const signInGapMs = 6000;
const rowsAtOnce = 200;
const hourMs = 3_600_000;

/** Makes the people of one till; they rest. */
export function createCashiers({
  world,
  random,
  trace,
  till,
  machine,
  evidence,
  watch,
  users,
  shops,
  clientIds,
  clientSecret,
  badges,
  queueLimits,
  isTillTaken = () => false,
  leftSettings = () => null,
}: CashierWorld): Cashiers {
  let user = random.pick(users);
  let shop: Shop = shops[0];
  const rounds = createRounds(world);
  let signInNotBeforeMs = 0;
  const { givenUp } = evidence;
  const cuts = random.fork('cut scans');
  const clients = random.fork('clients');
  const undos = createUndos({ world, random: random.fork('undos'), trace, till, evidence, givenUp });

  function someProduct(spread: number): Id {
    const list = shop.products.get(user.email) ?? [];
    return random.pick(list.slice(0, Math.max(1, Math.ceil(list.length * spread)))) as Id;
  }

  function stockId(): Id {
    return shop.profile.stockIds[0] as Id;
  }

  /** Looks at a product's card, which must show what was delivered, when nobody else has a hand in it. */
  async function look(
    productId: Id,
    lastOwn: Intent | undefined,
  ): Promise<Awaited<ReturnType<typeof till.call<'product:read'>>>> {
    const card = await till.call('product:read', { stockId: stockId(), productId });
    const isSettled =
      card?.ok === true &&
      card.value.coupon.status === 'confirmed' &&
      lastOwn?.status === 'accepted' &&
      lastOwn.companyId === shop.profile.companyId &&
      shop.quiet.has(productId);
    const isDamaged = evidence.damages.some(
      ({ damage }) => damage.kind === 'update' && damage.subjectIds.includes(productId),
    );
    if (isSettled && !isDamaged && !givenUp.has(productId) && card.value.coupon.isEnabled !== lastOwn.isEnabled) {
      evidence.untrueAnswers.push({
        atMs: world.nowMs(),
        what: `product ${productId} shows ${String(card.value.coupon.isEnabled)} as confirmed, which nobody asked for`,
      });
    }
    return card;
  }

  async function switchCoupon(productId: Id): Promise<void> {
    // Now and then from the product's own screen, else from memory.
    const lastOwn = evidence.intents.findLast(
      (intent) =>
        intent.productId === productId &&
        intent.email === user.email &&
        intent.companyId === shop.profile.companyId &&
        intent.status !== 'refused',
    );
    const card = random.chance(0.25) ? await look(productId, lastOwn) : null;
    const shown =
      card?.ok === true ? (card.value.coupon.isEnabled ?? lastOwn?.isEnabled ?? false) : (lastOwn?.isEnabled ?? false);
    // Mostly what a switch does; now and then the same again, as two fingers would.
    const isEnabled = random.chance(0.93) ? !shown : shown;
    if (!till.isOpen()) {
      return;
    }
    // The state is read in the same instant in which the switch is moved: that is who moved it.
    const reading = till.call('terminal:read', {});
    const intent: Intent = {
      email: user.email,
      companyId: shop.profile.companyId,
      productId,
      isEnabled,
      atMs: world.nowMs(),
      life: till.life(),
      status: 'asked',
    };
    evidence.intents.push(intent);
    const before = till.call('product:read', { stockId: stockId(), productId });
    const switching = till.call('coupon:switch', { productId, isEnabled });
    const after = till.call('product:read', { stockId: stockId(), productId });
    const [state, was, answer, is] = [await reading, await before, await switching, await after];
    if (state?.ok === true) {
      intent.email = state.value.session.email ?? '';
      intent.companyId = state.value.profile?.companyId ?? '';
    }
    if (answer === null) {
      intent.status = 'unknown';
      return;
    }
    intent.status = answer.ok ? 'accepted' : 'refused';
    trace.add(
      `switch ${productId.slice(-4)} ${isEnabled ? 'on' : 'off'} by ${intent.email}: ${answer.ok ? 'kept' : answer.failure.kind}`,
    );
    if (answer.ok && answer.value.isEnabled !== isEnabled) {
      evidence.untrueAnswers.push({
        atMs: world.nowMs(),
        what: `product ${productId} was switched ${isEnabled ? 'on' : 'off'} and shows ${String(answer.value.isEnabled)}`,
      });
    }
    if (!answer.ok && was?.ok === true && is?.ok === true && was.value.coupon.isEnabled !== is.value.coupon.isEnabled) {
      evidence.untrueAnswers.push({
        atMs: world.nowMs(),
        what: `the switch of product ${productId} was refused and moved all the same`,
      });
    }
  }

  async function restore(): Promise<void> {
    const userId = random.pick(shop.userIds) as Id;
    const reading = till.call('terminal:read', {});
    const intent: RestorationIntent = {
      email: user.email,
      companyId: shop.profile.companyId,
      userId,
      atMs: world.nowMs(),
      life: till.life(),
      status: 'asked',
    };
    evidence.restorations.push(intent);
    const asking = till.call('user:restore', { userId });
    const [state, answer] = [await reading, await asking];
    if (state?.ok === true) {
      intent.email = state.value.session.email ?? '';
      intent.companyId = state.value.profile?.companyId ?? '';
    }
    intent.status = 'unknown';
    if (answer !== null) {
      intent.status = answer.ok ? 'accepted' : 'refused';
    }
    trace.add(`restore ${userId} by ${intent.email}: ${intent.status}`);
  }

  async function scan(): Promise<void> {
    const { stock, profile } = shop;
    // Mostly the same few, and now and then a label that nothing may have any more.
    const whole = random.chance(0.2)
      ? random.pick(stock.barcodes())
      : stock.barcodeOf(random.pick(random.chance(0.5) ? stock.productIds.slice(0, 20) : stock.productIds));
    // The scanner's first digits are lost; where no element carries a barcode, the platform finds the product by the
    // rest all the same.
    const barcode = !stock.showsBarcodes && cuts.chance(0.3) ? whole.slice(2) : whole;
    if ((await watch.scan(profile.companyId, stockId(), barcode)) === 'missed' && random.chance(0.3)) {
      await ask(barcode);
    }
  }

  async function ask(text: string): Promise<void> {
    evidence.copy.asked.push(world.nowMs());
    await till.call('lookup:ask', { text });
  }

  async function tidy(): Promise<void> {
    const parked = await till.call('queue:list', { statuses: ['parked'], offset: 0, limit: rowsAtOnce });
    if (parked?.ok !== true) {
      return;
    }
    const { rows } = parked.value;
    evidence.parkedSeen.push(...rows.map((update) => ({ atMs: world.nowMs(), update })));
    const update = rows[random.integer(0, Math.max(0, rows.length - 1))];
    if (update === undefined || random.chance(0.3)) {
      return;
    }
    if (random.chance(0.4)) {
      trace.add(`discard ${String(update.id)}`);
      if (update.kind === 'coupon') {
        givenUp.add(update.productId);
      }
      evidence.discarded.add(update.id);
      await till.call('queue:discard', { updateId: update.id });
      undos.afterDiscard(update.id);
      return;
    }
    trace.add(`retry ${String(update.id)}`);
    evidence.retried.add(update.id);
    const { email, companyId } = update;
    if (update.kind === 'coupon') {
      evidence.again.push({
        email,
        companyId,
        productId: update.productId,
        isEnabled: update.isEnabled,
        atMs: world.nowMs(),
      });
    } else {
      evidence.restoredAgain.push({ email, companyId, userId: update.userId, atMs: world.nowMs() });
    }
    await till.call('queue:retry', { updateId: update.id });
  }

  async function switchAndUndo(productId: Id): Promise<void> {
    await switchCoupon(productId);
    await undos.afterSwitch(productId);
  }

  async function signOut(email: string, client: string | null): Promise<void> {
    trace.add('sign out');
    const startedAtMs = world.nowMs();
    const done = await till.call('session:signOut', {});
    if (done?.ok === true) {
      evidence.sittings.push({ what: 'out', email, client, startedAtMs, doneAtMs: world.nowMs() });
    }
  }

  /** In half of the cases whoever leaves locks the till. */
  async function handOver(): Promise<void> {
    user = random.pick(users);
    signInNotBeforeMs = 0;
    if (badges.size > 0 && random.chance(0.5)) {
      trace.add('lock');
      await till.call('cashier:lock', {});
    }
  }

  async function showBadge(email: string, code: string, client: string | null): Promise<void> {
    const scanned = await till.call('cashier:scanBadge', { code });
    if (scanned !== null) {
      trace.add(`badge of ${email}: ${scanned.ok ? scanned.value.outcome : scanned.failure.kind}`);
    }
    if (scanned?.ok === false && (scanned.failure.kind === 'badgeUnknown' || scanned.failure.kind === 'notReady')) {
      // It is void, or no badge is taken any more: from now on the password.
      badges.delete(email);
    }
    if (scanned?.ok === true && scanned.value.outcome === 'signOutFirst') {
      await signOut(scanned.value.email, client);
    } else if (scanned?.ok === true && scanned.value.email !== email) {
      evidence.wrongNames.push({
        atMs: world.nowMs(),
        what: `the badge of ${email} is that of ${scanned.value.email}`,
      });
    }
  }

  /** Who did what, as far as the list was kept. */
  async function readDeeds(): Promise<void> {
    for (let offset = 0; ; offset += rowsAtOnce) {
      const part = await till.call('audit:list', { group: 'coupons', offset, limit: rowsAtOnce });
      if (part?.ok !== true) {
        return;
      }
      evidence.entries.push(...part.value.rows);
      if (part.value.rows.length < rowsAtOnce) {
        return;
      }
    }
  }

  async function connect(wanted: Profile & { readonly profileId?: number }): Promise<void> {
    const connection = { startedAtMs: world.nowMs(), doneAtMs: Number.POSITIVE_INFINITY };
    evidence.connections.push(connection);
    await till.call('profile:connect', { ...wanted, clientSecret });
    connection.doneAtMs = world.nowMs();
  }

  /** Does first what somebody does who finds the till in this state. Answers whether the work may begin. */
  async function makeReady(): Promise<boolean> {
    const state = await till.call('terminal:read', {});
    if (state?.ok !== true) {
      return false;
    }
    const { phase, session, profile, profiles, queueLimits: limits, isSecretNeeded, cashiers: kept } = state.value;
    const isHere = phase !== 'firstRun' && profile?.companyId === shop.profile.companyId;
    if (isHere && queueLimits !== null && limits.askAfterHours !== queueLimits.askAfterHours) {
      await till.call('settings:update', { queueLimits });
    }
    const wrong = isHere && session.state === 'signedIn' ? leftSettings(state.value) : null;
    if (wrong !== null) {
      trace.add(`settings put right: ${Object.keys(wrong).join(', ')}`);
      await till.call('settings:update', wrong);
    }
    // A secret that no keychain has kept over a restart is asked for with the next sign-in.
    if (isHere && session.state === 'signedIn' && session.email === user.email && !isSecretNeeded) {
      return true;
    }
    const badge = badges.get(user.email);
    const canComeBack = kept.users.some(({ email, canComeBack: can }) => can && email === user.email);
    if (isHere && !isSecretNeeded && session.email !== user.email && badge !== undefined && canComeBack) {
      await showBadge(user.email, badge, profile?.clientId ?? null);
      return false;
    }
    if (world.nowMs() < signInNotBeforeMs) {
      return isHere && session.state !== 'signedOut' && session.email === user.email;
    }
    signInNotBeforeMs = world.nowMs() + signInGapMs + random.waitMs(signInGapMs);
    const isSignedIn = session.email !== null;
    // Whoever goes to another company signs out first, or does not.
    if (isSignedIn && (isHere ? session.email !== user.email : random.chance(0.7))) {
      await signOut(session.email ?? '', profile?.clientId ?? null);
    }
    if (!isHere) {
      if (phase !== 'firstRun' && random.chance(0.3)) {
        trace.add('leave');
        await till.call('profile:leave', {});
      }
      const known = profiles.find(({ companyId }) => companyId === shop.profile.companyId);
      if (known !== undefined && random.chance(0.5)) {
        trace.add(`switch to ${shop.profile.companyId}`);
        await till.call('profile:switch', { profileId: known.profileId });
        return false;
      }
      trace.add(`connect to ${shop.profile.companyId}`);
      await connect(shop.profile);
      return false;
    }
    trace.add(`sign in ${user.email}`);
    evidence.sittings.push({ what: 'in', email: user.email, startedAtMs: world.nowMs() });
    await till.call('session:signIn', {
      email: user.email,
      password: user.password,
      ...(isSecretNeeded ? { clientSecret } : {}),
    });
    return false;
  }

  function relieve(done: Promise<unknown>): void {
    const relieved = user;
    const mine = rounds.turn();
    user = users.find((other) => other !== relieved) ?? relieved;
    signInNotBeforeMs = 0;
    void makeReady();
    void done.then(() => {
      world.after(random.integer(20, 1500), () => {
        if (mine === rounds.turn() && till.isOpen()) {
          user = relieved;
          signInNotBeforeMs = 0;
          void makeReady();
        }
      });
    });
  }

  /** A technician gives the open profile another client. */
  async function changeClient(): Promise<void> {
    const state = await till.call('terminal:read', {});
    const { profile = null, profiles = [] } = state?.ok === true ? state.value : {};
    const wanted = clients.pick(clientIds);
    const kept = profiles.find(({ companyId }) => companyId === profile?.companyId);
    if (kept !== undefined && kept.clientId !== wanted) {
      const { platformUrl, companyId, stockIds, profileId } = kept;
      trace.add(`client ${wanted}`);
      await connect({ platformUrl, clientId: wanted, companyId, stockIds, profileId });
    }
  }

  async function doOne(habits: Habits): Promise<void> {
    if (!(await makeReady())) {
      return;
    }
    if (clientIds.length > 1 && clients.chance(0.02)) {
      return changeClient();
    }
    switch (random.pickWeighted(habits)) {
      case 'scan':
        return scan();
      case 'switch':
        return switchAndUndo(someProduct(random.pick([0.1, 0.5, 1])));
      case 'churn':
        return switchAndUndo(someProduct(0.02));
      case 'contend':
        return switchCoupon(random.pick(shop.shared) as Id);
      case 'burst':
        for (let left = random.integer(5, 40); left > 0; left -= 1) {
          await switchCoupon(someProduct(1));
        }
        return undefined;
      case 'tidy':
        return tidy();
      case 'refresh':
        await till.call('coupon:refresh', {});
        return undefined;
      case 'copy':
        await till.call('catalogue:copy', {});
        return undefined;
      case 'ask':
        return ask(shop.stock.barcodeOf(random.pick(shop.stock.productIds)));
      case 'changeUser':
        return handOver();
      case 'restore':
        return restore();
      case 'changeShop':
        shop = random.pick(shops);
        signInNotBeforeMs = 0;
        return undefined;
    }
  }

  return {
    work: (habits, meanGapMs) => {
      rounds.begin(
        () => random.waitMs(meanGapMs),
        () => {
          if (till.isOpen() && world.nowMs() >= machine.awakeAtMs() && !isTillTaken()) {
            void doOne(habits);
          }
        },
      );
    },
    rest: rounds.end,
    relieve,
    insist: (email, companyId) => {
      shop = shops.find(({ profile }) => profile.companyId === companyId) ?? shop;
      user = users.find((other) => other.email === email) ?? user;
      signInNotBeforeMs = 0;
      rounds.begin(
        () => 1000,
        () => void makeReady(),
      );
    },
    leave: () => {
      rounds.end();
      void till.call('cashier:lock', {});
    },
    waitingOfKept: async () => {
      const state = await till.call('terminal:read', {});
      if (state?.ok !== true) {
        return null;
      }
      const { phase, practice, profile, session, cashiers, queue, isSecretNeeded } = state.value;
      const kept = cashiers.users.filter(({ canComeBack }) => canComeBack).map(({ email }) => email);
      if (phase === 'firstRun' || practice !== null) {
        return 0;
      }
      if (session.state !== 'signedIn') {
        // A client secret that no keychain has taken died with its run: nobody's can be sent until a person gives it.
        if (isSecretNeeded && !machine.isInVault(clientSecretName)) {
          return 0;
        }
        // The number that is shown to whoever stands there.
        return queue.ofKept.count + queue.ofOthers.emails.filter((email) => kept.includes(email)).length;
      }
      const waiting: QueuedUpdate[] = [];
      for (let offset = 0; offset === waiting.length; offset += rowsAtOnce) {
        const part = await till.call('queue:list', { statuses: ['pending', 'inFlight'], offset, limit: rowsAtOnce });
        if (part?.ok !== true) {
          return null;
        }
        waiting.push(...part.value.rows);
      }
      const after = await till.call('terminal:read', {});
      const isHere = ({ companyId }: QueuedUpdate): boolean => companyId === profile?.companyId;
      const elsewhere = waiting.filter((update) => !isHere(update)).length;
      const reported = queue.elsewhere.reduce((sum, { count }) => sum + count, 0);
      const isSame = after?.ok === true && isDeepStrictEqual(after.value.queue.elsewhere, queue.elsewhere);
      if (isSame && reported !== elsewhere) {
        const what = `${String(elsewhere)} updates wait for another company, and ${String(reported)} are said to`;
        evidence.untrueAnswers.push({ atMs: world.nowMs(), what });
      }
      return waiting.filter((update) => isHere(update) && update.email !== session.email && kept.includes(update.email))
        .length;
    },
    undosLeft: () => undos.left(),
    waiting: async () => {
      const state = await till.call('terminal:read', {});
      const isHere =
        state?.ok === true &&
        state.value.phase === 'ready' &&
        state.value.profile?.companyId === shop.profile.companyId;
      const isMine = isHere && state.value.session.state === 'signedIn' && state.value.session.email === user.email;
      return isMine ? state.value.queue.pending + state.value.queue.inFlight : null;
    },
    misshown: async (enabled) => {
      const shown: CouponRow[] = [];
      if ((await till.call('coupon:refresh', {}))?.ok !== true) {
        return null;
      }
      const isOn = enabled();
      for (let offset = 0; ; offset += rowsAtOnce) {
        const part = await till.call('coupon:list', { filter: 'all', offset, limit: rowsAtOnce });
        if (part?.ok !== true) {
          return null;
        }
        shown.push(...part.value.rows);
        if (part.value.rows.length < rowsAtOnce) {
          break;
        }
      }
      const listed = new Set<string>(shown.map(({ productId }) => productId));
      const wrong = shown
        .filter(({ productId, coupon }) => coupon.status === 'confirmed' && coupon.isEnabled !== isOn.has(productId))
        .map(({ productId }) => productId);
      return [...wrong, ...[...isOn].filter((productId) => !listed.has(productId))];
    },
    readRows: async () => {
      const rows: QueuedUpdate[] = [];
      for (let offset = 0; ; offset += rowsAtOnce) {
        const part = await till.call('queue:list', { statuses: [], offset, limit: rowsAtOnce });
        if (part?.ok !== true) {
          break;
        }
        rows.push(...part.value.rows);
        if (part.value.rows.length < rowsAtOnce) {
          break;
        }
      }
      await readDeeds();
      evidence.rows = couponsOf(rows).toReversed();
      // A figure that was never old needs no asking.
      const candidates =
        queueLimits === null
          ? []
          : rows.filter(
              ({ attempts, createdAt, changedAt }) =>
                attempts > 0 && changedAt - createdAt > queueLimits.askAfterHours * hourMs,
            );
      for (const update of candidates) {
        const history = await till.call('queue:history', { updateId: update.id });
        const first = history?.ok === true ? history.value[0] : undefined;
        if (first !== undefined) {
          evidence.firstSent.push({ update, sentAt: first.sentAt });
        }
      }
      evidence.restorationRows = rows
        .filter((update): update is Restoration => update.kind === 'restoreUser')
        .toReversed();
    },
  };
}
