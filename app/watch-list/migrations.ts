/** The watch list's step of queue.db; terminal/workspace/queue-migrations.ts says when each comes. */
export const watchListSteps = {
  // Below which a product is to be ordered; see watch-list/minima.ts. By the platform's own ids, so that it outlives
  // the copy and the product's row in it.
  minima: `
    CREATE TABLE minima (
      platform TEXT NOT NULL,
      company_id TEXT NOT NULL,
      stock_id TEXT NOT NULL,
      product_id TEXT NOT NULL,
      minimum REAL NOT NULL,
      PRIMARY KEY (platform, company_id, stock_id, product_id)
    ) STRICT, WITHOUT ROWID;
  `,
} as const;
