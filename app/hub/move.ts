import { succeed } from '../domain/result.ts';
import type { Ports } from '../ports.ts';
import { isSamePlace, type HubAddress } from './address.ts';
import { onlyStorageError } from '../storage/database.ts';
import type { HubCallParts } from './calls.ts';

const lookEveryMs = 500;
/** A hub of before that has not answered by then is taken for gone. */
const patienceMs = 30_000;

type MoveParts = Pick<HubCallParts, 'clock' | 'settings' | 'membership' | 'shop' | 'inTurn' | 'reopen'>;

/** Takes part by an id of this terminal's own where another has this one's (H16): its disk or folder was copied. */
export function leaveTwin(
  { settings, membership, inTurn, reopen }: Omit<MoveParts, 'clock' | 'shop'>,
  { random, shell }: Pick<Ports, 'random' | 'shell'>,
): void {
  let isUnder = false;
  membership.whenTwin((terminalId) => {
    if (isUnder) return;
    isUnder = true;
    void inTurn(async () => {
      const { hub } = settings.get();
      const isTaken =
        hub?.terminalId === terminalId && settings.changeForGood({ hub: { ...hub, terminalId: random.uuid() } }).ok;
      if (isTaken) {
        shell.log('warning', 'another terminal takes part in the hub by the id of this one, which has a new id now');
        await reopen();
      }
      return succeed(undefined);
    })
      .catch(onlyStorageError)
      .finally(() => {
        isUnder = false;
      });
  });
}

/**
 * Makes what takes this terminal to the hub that a provisioning file names instead of another one. It goes on at the one
 * before until that has answered, so that it brings what the others use there now (H1); what it remembers is of its last
 * end, since when they may use more. Where none answers, it joins as another terminal that brings nothing.
 */
export function createHubMove({ clock, settings, membership, shop, inTurn, reopen }: MoveParts) {
  return (address: HubAddress, terminalName: string): void => {
    const { hub: before } = settings.get();
    const untilMs = clock.uptimeMs() + patienceMs;

    async function go(isInTouch: boolean): Promise<void> {
      await inTurn(async () => {
        // Somebody may have joined another meanwhile, or left.
        const { hub } = settings.get();
        if (hub !== null && before !== null && hub.terminalId === before.terminalId && isSamePlace(hub, before)) {
          const kept = isInTouch && (await membership.keep(address, terminalName, 'hand')).ok;
          if (!kept) await membership.keep(address, terminalName, 'file');
          await reopen();
          await membership.endFormer();
        }
        membership.noteFile(address);
        return succeed(undefined);
      });
    }

    function look(): void {
      const open = shop.practice() === null ? shop.workspace() : null;
      const isInTouch = (open?.hub?.sharedSinceMs() ?? null) !== null;
      if (isInTouch || clock.uptimeMs() >= untilMs) {
        // A shop that cannot be opened again is told at the ways in, as after any call.
        go(isInTouch).catch(onlyStorageError);
      } else {
        clock.after(lookEveryMs, look);
      }
    }
    look();
  };
}
