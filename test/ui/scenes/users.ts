import { queueBusy, parkedToo } from '../scene-fixtures.ts';
import { at, shows, type ShownScene } from '../scene-steps.ts';

export const usersScenes: readonly ShownScene[] = [
  at('users', { queue: queueBusy }, shows('.row-title', '#users'), {
    restorations: [...parkedToo, { status: 'delivered' }],
  }),
  at('users-empty', {}, shows('.empty', '#users')),
];
