// The planted bugs: single-place mutations of the code that the promises rest on, each with the rules of invariants.ts
// of which at least one must catch it.
import type { Mutation } from './mutation.ts';
import { catalogueMutations } from './mutations-catalogue.ts';
import { connectionMutations } from './mutations-connection.ts';
import { diskMutations } from './mutations-disk.ts';
import { hubMutations } from './mutations-hub.ts';
import { queueMutations } from './mutations-queue.ts';
import { rateLimitMutations } from './mutations-rate-limit.ts';
import { sessionMutations } from './mutations-session.ts';

/** All planted bugs. */
export const mutations: readonly Mutation[] = [
  ...queueMutations,
  ...rateLimitMutations,
  ...sessionMutations,
  ...connectionMutations,
  ...catalogueMutations,
  ...hubMutations,
  ...diskMutations,
];
