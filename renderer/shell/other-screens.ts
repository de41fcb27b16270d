import { lazy } from 'react';

const readers = {
  stock: async () => ({ default: (await import('../stock/stock-screen.tsx')).Stock }),
  stocktakes: async () => ({ default: (await import('../stocktakes/stocktakes-screen.tsx')).Stocktakes }),
  coupons: async () => ({ default: (await import('../coupons/coupons-screen.tsx')).Coupons }),
  queue: async () => ({ default: (await import('../queue/queue-screen.tsx')).Queue }),
  users: async () => ({ default: (await import('../users/users-screen.tsx')).Users }),
  settings: async () => ({ default: (await import('../settings/settings-screen.tsx')).Settings }),
  rateLimit: async () => ({ default: (await import('../rate-limit/rate-limit-screen.tsx')).RateLimit }),
} as const;

export const otherScreens = {
  stock: lazy(readers.stock),
  stocktakes: lazy(readers.stocktakes),
  coupons: lazy(readers.coupons),
  queue: lazy(readers.queue),
  users: lazy(readers.users),
  settings: lazy(readers.settings),
  rateLimit: lazy(readers.rateLimit),
} as const;

/** Reads them all, so that whoever goes to one need not wait; what cannot be read is told when somebody goes there. */
export function readOtherScreens(): void {
  for (const read of Object.values(readers)) {
    read().catch(() => undefined);
  }
}
