import { queueBusy, manyUpdates } from '../scene-fixtures.ts';
import { at, shows, type ShownScene } from '../scene-steps.ts';

export const usersScenes: readonly ShownScene[] = [
  at('users', { queue: queueBusy }, shows('.row-title', '#users'), {
    updates: [{ userId: '705', events: ['done'] }, ...manyUpdates],
  }),
  at('users-empty', {}, shows('.empty', '#users')),
];
