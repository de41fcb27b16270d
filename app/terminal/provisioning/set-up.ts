import { maxProblems } from '../../contract/support.ts';
import type { Handlers } from '../../contract/bridge.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { Shell } from '../../ports.ts';
import type { OpenSettings } from '../../settings/settings.ts';
import type { ManagerLock } from '../manager-lock.ts';
import type { Provision, Provisioning } from './provisioning.ts';

/**
 * Reads a provisioning file; `keepMachine` keeps what it says of the machine and answers what that has changed. Fails
 * with one sentence a field, in the language of this tag.
 */
export type OpenFile = (
  text: string,
  tag: string,
) => Result<{ readonly provision: Provision; readonly keepMachine: () => readonly string[] }, readonly string[]>;

/** The shops that setting up needs. */
export interface SetUpShops {
  readonly provision: Provisioning;
  /** In its turn; fails with `notReady` where a shop is open or has been set up. */
  beforeAnyShop<Value>(change: () => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>>;
}

export interface SetUpParts {
  /** Absent where a person cannot open any. */
  readonly openFile: OpenFile | undefined;
  readonly shops: SetUpShops;
  readonly settings: OpenSettings;
  readonly shell: Pick<Shell, 'systemLanguage'>;
  readonly managerLock: Pick<ManagerLock, 'provision' | 'noteProvisioned'>;
  /** The settings are those of the file, and the shop is not open yet. */
  readonly onSettings: () => void;
}

export interface SetUp {
  /** Sets the terminal up by a file, which has changed these fields of the machine. */
  readonly setUp: (provision: Provision, changedOfMachine: readonly string[]) => Promise<void>;
  readonly handlers: Pick<Handlers, 'provisioning:open'>;
}

/** Sets the terminal up by a provisioning file: one of a start, or one that a person opens. */
export function createSetUp({ openFile, shops, settings, shell, managerLock, onSettings }: SetUpParts): SetUp {
  const setUp: SetUp['setUp'] = async (provision, changedOfMachine) => {
    if (provision.managerLock !== undefined) {
      await managerLock.provision(provision.managerLock);
    }
    await shops.provision(provision, (place, changes) => {
      onSettings();
      managerLock.noteProvisioned(place, [...changes.map(({ field }) => field), ...changedOfMachine]);
    });
  };

  return {
    setUp,
    handlers: {
      'provisioning:open': ({ text }) =>
        shops.beforeAnyShop(async () => {
          const read = openFile?.(text, settings.get().language ?? shell.systemLanguage);
          if (read === undefined) {
            return fail({ kind: 'notReady' });
          }
          if (read.ok) {
            await setUp(read.value.provision, read.value.keepMachine());
          }
          return succeed({ problems: read.ok ? [] : read.failure.slice(0, maxProblems) });
        }),
    },
  };
}
