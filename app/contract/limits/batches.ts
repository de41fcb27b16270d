/** Of a product; those behind them in the platform's list are counted alone. */
export const maxBatches = 500;
