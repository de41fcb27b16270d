import type { Clock, Shell } from '../../ports.ts';

/** So that one which comes again and again pushes nothing else out of the log. */
const maxLines = 20;
const periodMs = 10 * 60_000;

/**
 * Logs what nobody catches, and lets the process go on (decision 74): Electron would show a dialog and stand still until
 * somebody closes it, Node would end. Until the answer is called.
 */
export function logUncaught(log: Shell['log'], { uptimeMs }: Pick<Clock, 'uptimeMs'>): () => void {
  let [begunMs, count] = [uptimeMs(), 0];
  const note = (error: unknown): void => {
    const nowMs = uptimeMs();
    if (nowMs - begunMs >= periodMs) {
      [begunMs, count] = [nowMs, 0];
    }
    count += 1;
    if (count <= maxLines) {
      log('error', 'nobody caught an error', { error, ...(count === maxLines ? { isLastOfMinutes: 10 } : {}) });
    }
  };
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  events.forEach((event) => process.on(event, note));
  return () => {
    events.forEach((event) => process.off(event, note));
  };
}
