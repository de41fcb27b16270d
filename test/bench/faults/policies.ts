import type { FaultPlan } from './fault-plan.ts';
import { axiosWithRetry } from './peers/axios.ts';
import { bottleneck } from './peers/bottleneck.ts';
import { naive } from './peers/naive.ts';
import { pQueueKeepingKeys, pQueueRenewingKeys } from './peers/p-queue.ts';
import { tanstack } from './peers/tanstack.ts';
import { workbox } from './peers/workbox.ts';
import { runPeer } from './peer-run.ts';
import { runTillside } from './tillside-run.ts';
import type { Figures } from './verdict.ts';

export interface Policy {
  readonly name: string;
  readonly setUp: string;
  readonly isDurable: boolean;
  run(plan: FaultPlan, hasCrashes: boolean): Promise<Figures>;
}

const tillside: Policy = {
  name: 'Tillside',
  setUp: 'the whole app as it ships, its catalogue and its sharing of the rate limit included; SQLite on disk',
  isDurable: true,
  run: runTillside,
};

const peers = [tanstack, workbox, pQueueKeepingKeys, pQueueRenewingKeys, bottleneck, axiosWithRetry, naive];

export const policies: readonly Policy[] = [
  tillside,
  ...peers.map((peer): Policy => ({ ...peer, run: (plan, hasCrashes) => runPeer(peer, plan, hasCrashes) })),
];
