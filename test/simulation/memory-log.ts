import type { SendLog } from '../../app/rate-limit/send-log.ts';

export function createMemoryLog(): SendLog {
  let id = 0;
  return {
    remember: () => [],
    take: () => {
      id += 1;
      return id;
    },
    settle: () => undefined,
    readRefusal: () => null,
    keepRefusal: () => undefined,
    keep: () => undefined,
    forget: () => undefined,
    fill: () => undefined,
  };
}
