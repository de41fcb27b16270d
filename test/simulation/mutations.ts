// The planted bugs: single-place mutations of the code that the promises rest on, each named with the rules of which at
// least one must catch it. Those of a folder of app/ or renderer/ are in the file of its name.
import type { Mutation, PlantedBugs } from './mutation.ts';
import { catalogueMutations } from './mutations/catalogue.ts';
import { contractMutations } from './mutations/contract.ts';
import { couponsMutations } from './mutations/coupons.ts';
import { domainMutations } from './mutations/domain.ts';
import { expiringMutations } from './mutations/expiring.ts';
import { formatsMutations } from './mutations/formats.ts';
import { hostsMutations } from './mutations/hosts.ts';
import { hubMutations } from './mutations/hub.ts';
import { lockMutations } from './mutations/lock.ts';
import { platformMutations } from './mutations/platform.ts';
import { queueMutations } from './mutations/queue.ts';
import { rateLimitMutations } from './mutations/rate-limit.ts';
import { sessionMutations } from './mutations/session.ts';
import { settingsMutations } from './mutations/settings.ts';
import { stocktakesMutations } from './mutations/stocktakes.ts';
import { storageMutations } from './mutations/storage.ts';
import { terminalMutations } from './mutations/terminal.ts';
import { watchListMutations } from './mutations/watch-list.ts';

function rulesIn(name: string): Mutation['rules'] {
  return /\(([A-Z]\d+(?:, [A-Z]\d+)*)\)$/.exec(name)?.[1]?.split(', ') ?? [];
}

/** All planted bugs. */
export const mutations: readonly Mutation[] = [
  catalogueMutations,
  contractMutations,
  couponsMutations,
  domainMutations,
  expiringMutations,
  formatsMutations,
  hostsMutations,
  hubMutations,
  lockMutations,
  platformMutations,
  queueMutations,
  rateLimitMutations,
  sessionMutations,
  settingsMutations,
  stocktakesMutations,
  storageMutations,
  terminalMutations,
  watchListMutations,
].flatMap((bugs: PlantedBugs) => Object.entries(bugs).map(([name, bug]) => ({ ...bug, name, rules: rulesIn(name) })));
