import { useEffect } from 'react';
import { useStores, useTerminal } from '../stores/context.tsx';
import { present } from '../dom/clock.ts';

/** Reported this often at most; a rest is counted in minutes. */
const reportEveryMs = 10_000;

/** Tells the terminal that somebody is at the page, where a rest locks the till. */
export function useActivity(): void {
  const { bridge } = useStores();
  const isCounted = useTerminal(
    ({ cashierChange, cashiers }) => cashierChange.lockAfterMinutes > 0 && cashiers.users.length > 0,
  );
  useEffect(() => {
    if (!isCounted) {
      return undefined;
    }
    let reportedAt = -Infinity;
    const tell = (): void => {
      const now = present();
      if (Math.abs(now - reportedAt) >= reportEveryMs) {
        reportedAt = now;
        void bridge.call('cashier:noteActivity', {});
      }
    };
    tell();
    window.addEventListener('keydown', tell, true);
    window.addEventListener('pointerdown', tell, true);
    const stopListening = bridge.subscribe({ 'scanner:read': tell });
    return () => {
      window.removeEventListener('keydown', tell, true);
      window.removeEventListener('pointerdown', tell, true);
      stopListening();
    };
  }, [bridge, isCounted]);
}
