/** The hub's step of queue.db; terminal/workspace/queue-migrations.ts says when each comes. */
export const hubSteps = {
  // A terminal's memory of its shop's hub (hub/memory.ts), by what counts as one account.
  memory: 'CREATE TABLE hub_memory (account TEXT PRIMARY KEY, memory TEXT NOT NULL) STRICT, WITHOUT ROWID',
} as const;
