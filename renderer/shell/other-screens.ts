import type { i18n } from 'i18next';
import { suspendingPart } from '../ui/lazy-part.tsx';

const readers = {
  stock: async () => (await import('../stock/stock-screen.tsx')).Stock,
  stocktakes: async () => (await import('../stocktakes/stocktakes-screen.tsx')).Stocktakes,
  coupons: async () => (await import('../coupons/coupons-screen.tsx')).Coupons,
  queue: async () => (await import('../queue/queue-screen.tsx')).Queue,
  users: async () => (await import('../users/users-screen.tsx')).Users,
  settings: async () => (await import('../settings/settings-screen.tsx')).Settings,
  rateLimit: async () => (await import('../rate-limit/rate-limit-screen.tsx')).RateLimit,
} as const;

export const otherScreens = {
  stock: suspendingPart(readers.stock),
  stocktakes: suspendingPart(readers.stocktakes),
  coupons: suspendingPart(readers.coupons),
  queue: suspendingPart(readers.queue),
  users: suspendingPart(readers.users),
  settings: suspendingPart(readers.settings),
  rateLimit: suspendingPart(readers.rateLimit),
} as const;

/** Reads them all, so that nobody waits at one of them; a failure is shown when somebody goes there. */
export function readOtherScreens(words: i18n): void {
  void words.loadNamespaces('screens');
  for (const read of Object.values(readers)) {
    read().catch(() => undefined);
  }
}
