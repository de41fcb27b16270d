import { accessRows, isFreeSetting, lockOf } from '../../app/contract/access.ts';
import { invokes, type Channel } from '../../app/contract/contract.ts';
import { lockKinds } from '../../app/contract/limits/lock.ts';
import type { FakeLocks, Scene } from './fake-bridge.ts';

/** A retry is taken for one that overwrites nothing. */
const fakeLocks: FakeLocks = {
  byChannel: Object.fromEntries(
    (Object.keys(accessRows) as Channel[]).map((channel) => [
      channel,
      lockOf({ channel, isMild: channel !== 'settings:update' }),
    ]),
  ),
  choosable: lockKinds,
  free: Object.keys(invokes['settings:update'].input.shape).filter(isFreeSetting),
};

interface GivenScene extends Scene {
  readonly locks: FakeLocks;
  readonly hostKey: string;
}

/** A scene with what each part of the pretended main process needs beside it. */
export function givenTo(scene: Scene, hostKey: string): GivenScene {
  // What the host answers need not be in the page.
  return { ...scene, stocktakes: [], lines: [], updates: [], locks: fakeLocks, hostKey };
}
