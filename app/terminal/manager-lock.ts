import { join } from 'node:path';
import { createListInMemory, openAudit, type Actor, type Audit } from '../lock/audit-log.ts';
import type { AuditFacts } from '../lock/audit-entries.ts';
import type { AuditAction } from '../contract/audit.ts';
import type { Notice } from '../contract/terminal-state.ts';
import type { LockKind, LockState } from '../contract/lock.ts';
import type { Profile } from '../contract/profiles.ts';
import type { Handlers } from '../contract/bridge.ts';
import { isCouponSet } from '../coupons/coupon-of.ts';
import { guardHandlers, type GuardParts } from '../lock/guard.ts';
import { createLock } from '../lock/lock.ts';
import { createLockHandlers, createPinTrial } from '../lock/handlers.ts';
import type { Ports } from '../ports.ts';
import { productNameOf } from '../queue/shown-updates.ts';
import type { Profiles } from '../settings/profiles.ts';
import type { OpenSettings } from '../settings/settings.ts';
import type { OpenShop } from './workspace/open-shop.ts';

/** The lock as a provisioning file sets it; a PIN is hashed at once, another terminal's hash taken as it is. */
export interface ProvisionedLock {
  readonly pin?: string | undefined;
  readonly pinHash?: string | undefined;
  readonly kinds?: readonly LockKind[] | undefined;
  readonly opensForMinutes?: number | undefined;
}

export interface ManagerLockParts {
  readonly ports: Ports;
  readonly settings: OpenSettings;
  readonly profiles: Profiles;
  readonly shops: { readonly shop: OpenShop; readonly cashiers: { readonly isLocked: () => boolean } };
  readonly notify: (kind: Notice['kind'], detail: string) => void;
  readonly changed: () => void;
}

export interface ManagerLock {
  state(): LockState;
  readonly hasPin: () => boolean;
  /** Notes what whoever is at the screen has done, or what was done for this user. */
  readonly note: (action: AuditAction, email?: string | null) => void;
  /** Notes later what whoever is at the screen now has tried, though they have gone by then. */
  readonly noteLater: () => (action: AuditAction) => void;
  /** The e-mail of whoever is at the screen; null for nobody. */
  readonly signedIn: () => string | null;
  readonly handlers: ReturnType<typeof createLockHandlers>;
  /** Tries the manager's PIN, and opens nothing by it. Fails as `lock:unlock` does. */
  readonly tryPin: (pin: string) => ReturnType<Handlers['lock:unlock']>;
  /** Puts the gate and the list before these. */
  guard(handlers: Handlers, gate: Pick<GuardParts, 'accessFacts' | 'isShown' | 'isStationOn'>): Handlers;
  provision(lock: ProvisionedLock): Promise<void>;
  /** Notes what else the provisioning file has changed, if anything; nobody is signed in for it. */
  noteProvisioned(place: Pick<Profile, 'platformUrl' | 'companyId'>, fields: readonly string[]): void;
  /** For who can start the app with that flag. */
  forgetPin(): void;
  close(): void;
}

function nameOfShop({ platformUrl, companyId }: Pick<Profile, 'platformUrl' | 'companyId'>): string {
  return `${URL.parse(platformUrl)?.host ?? platformUrl} ${companyId}`;
}

/** The facts that the list has beyond the calls. */
function auditFactsOf({
  settings,
  profiles,
  shops: { shop },
}: Pick<ManagerLockParts, 'settings' | 'profiles' | 'shops'>): AuditFacts {
  return {
    settings: () => ({ ...settings.get() }),
    productName: (productId) => shop.workspace()?.catalogue.nameOf(productId)?.name ?? null,
    isCouponSet: (productId, isEnabled) => isCouponSet(shop.workspace(), productId, isEnabled),
    update: (updateId) => {
      const workspace = shop.workspace();
      const row = workspace?.queueRepository.history.find(updateId);
      return workspace === null || row === undefined
        ? null
        : {
            subject: row.kind,
            subjectId: row.subject_id,
            name: productNameOf(workspace, row),
            isEnabled: row.is_enabled === 1,
          };
    },
    overwrites: (updateIds) => (shop.workspace()?.queueRepository.countMany(updateIds, []).conflicts ?? 0) > 0,
    tillName: (tillId) => shop.workspace()?.hub?.member.state().document?.members[tillId]?.name ?? null,
    profileName: (profileId) => {
      const profile = profiles.find(profileId);
      return profile === null ? String(profileId) : (profile.name ?? nameOfShop(profile)).slice(0, 500);
    },
  };
}

/** Opens the list, and the lock as the settings have it. A list that cannot be opened is said, and holds nothing up. */
export async function openManagerLock({
  ports,
  settings,
  profiles,
  shops,
  notify,
  changed,
}: ManagerLockParts): Promise<ManagerLock> {
  const { clock, random, shell } = ports;
  const { shop, cashiers } = shops;

  const actor = (): Actor => {
    const workspace = shop.workspace();
    return {
      // mutant: who did what names nobody (I26)
      email: cashiers.isLocked() ? null : (workspace?.session.state().email ?? null),
      companyId: workspace?.target.companyId ?? null,
      isPractice: workspace !== null && shop.practice() !== null,
    };
  };

  const audit = await openAudit({
    path: join(shell.dataDirectory, 'audit.db'),
    clock,
    onTrouble: (error) => {
      shell.log('error', 'audit: the list cannot be kept', { ...error.failure });
      notify('auditNotKept', '');
    },
    onSetAside: (path) => notify('auditSetAside', path.slice(-500)),
  });
  let ofPractice = createListInMemory(clock);
  settings.listen(() => {
    ofPractice = createListInMemory(clock);
  });
  // mutant: practice writes the list of the terminal
  const listOf = (isPractice: boolean): Audit => (isPractice ? ofPractice : audit);
  const list = (): Audit => listOf(actor().isPractice);

  const lock = createLock({
    clock,
    random,
    stored: () => settings.get().lock,
    save: (change) => settings.change({ lock: { ...settings.get().lock, ...change } }),
    saveForGood: (change) => settings.changeForGood({ lock: { ...settings.get().lock, ...change } }),
    place: () => {
      const { email, companyId, isPractice: practises } = actor();
      return JSON.stringify([email, companyId, practises, practises ? null : profiles.current()?.id]);
    },
    onChange: changed,
  });

  return {
    state: () => ({ ...lock.state(), newestEntry: list().newest() }),
    hasPin: () => lock.state().hasPin,
    note: (action, email = actor().email) => list().note({ ...actor(), email }, action, false),
    noteLater: () => {
      const [theirs, who] = [list(), actor()];
      return (action) => theirs.note(who, action, false);
    },
    signedIn: () => actor().email,
    handlers: createLockHandlers({ lock, list, actor, changed }),
    tryPin: (pin) => createPinTrial({ lock, list, actor, changed })(pin, null),
    guard: (handlers, gate) =>
      guardHandlers(handlers, {
        lock,
        listOf,
        actor,
        world: auditFactsOf({ settings, profiles, shops }),
        ...gate,
        terminalLock: () => {
          const { pinHash, kinds } = settings.terminal.get().lock;
          return { hasPin: pinHash !== null, kinds: [...kinds] };
        },
        log: (...line) => shell.log(...line),
        onStorageError: (error) => shop.workspace()?.disk.note(error),
      }),
    provision: async (given) => {
      const taken = await lock.provision(given);
      // One that could not be kept holds until the end of this run all the same.
      if (!taken.ok || taken.value) {
        audit.note(actor(), { kind: 'pinProvisioned' }, false);
      }
    },
    noteProvisioned: ({ platformUrl, companyId }, fields) => {
      if (fields.length > 0) {
        const name = nameOfShop({ platformUrl, companyId });
        shell.log('info', 'set up by the provisioning file', { shop: name, fields });
        audit.note(
          { email: null, companyId, isPractice: false },
          { kind: 'provisioned', name: name.slice(0, 500), fields: [...fields] },
          false,
        );
      }
    },
    forgetPin: () => {
      if (lock.forgetPin()) {
        audit.note(actor(), { kind: 'pinForgotten' }, false);
        notify('pinForgotten', '');
      }
    },
    close: () => {
      lock.close();
      audit.close();
    },
  };
}
