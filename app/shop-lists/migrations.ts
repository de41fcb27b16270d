/** The step of queue.db for the shop's lists; terminal/workspace/queue-migrations.ts says when it comes. */
export const shopListsSteps = {
  // When the newest file that was taken here was saved.
  taken: `
    CREATE TABLE taken_lists (
      platform TEXT NOT NULL,
      company_id TEXT NOT NULL,
      saved_at INTEGER NOT NULL,
      PRIMARY KEY (platform, company_id)
    ) STRICT, WITHOUT ROWID;
  `,
} as const;
