/** The lookup's step of queue.db; terminal/workspace/queue-migrations.ts says when each comes. */
export const lookupSteps = {
  // Which product a person chose for the labels of a scale's item; see catalogue/lookup/label-choices.ts.
  labelChoices: `
    CREATE TABLE label_choices (
      platform TEXT NOT NULL,
      company_id TEXT NOT NULL,
      stock_id TEXT NOT NULL,
      layout TEXT NOT NULL,
      item TEXT NOT NULL,
      product_id TEXT NOT NULL,
      -- JSON: the ids of the products that there were to choose from.
      among TEXT NOT NULL,
      is_of_unit INTEGER NOT NULL,
      chosen_at INTEGER NOT NULL,
      email TEXT NOT NULL,
      PRIMARY KEY (platform, company_id, stock_id, layout, item)
    ) STRICT, WITHOUT ROWID;
  `,
} as const;
