import { fail as no, succeed as ok } from '../../app/domain/result.ts';
import type { Answers } from './fake-answers.ts';
import type { Scene } from './fake-bridge.ts';

/** What is answered the same whatever was done before. */
export function createFakeReadings(scene: Scene): Answers {
  const minute = 60_000;
  const { nowMs } = scene;
  return {
    'rateLimit:read': () =>
      ok({
        limits: { limit: 60, windowSeconds: 60, reserve: 3 },
        limit: 60,
        used: { session: 1, person: 2, queue: 4, catalogue: 20 },
        waiting: [],
        waitingCount: 0,
        pausedUntil: null,
        readAt: nowMs,
        history: [],
        pieceSeconds: 10,
      }),
    'platformCheck:read': () => ok({ state: 'none' }),
    'couponSet:list': () => ok({ sets: [] }),
    'couponSet:listPlanned': () => ok({ next: [], missed: [], made: [] }),
    'profile:connect': () => ok({ passed: true, steps: [] }),
    'printer:list': () => ok(['Balcão', 'Depósito']),
    'support:diagnose': () =>
      ok({
        readAt: nowMs,
        versions: [
          { name: 'Tillside', version: '1.0.0' },
          { name: 'Node', version: '24.21.0' },
          { name: 'SQLite', version: '3.51.0' },
        ],
        machine: {
          system: 'Linux 6.1.0 x64',
          memoryBytes: 4_000_000_000,
          freeMemoryBytes: 1_250_000_000,
          freeDiskBytes: 18_400_000_000,
          dataDirectory: '/home/counter/.local/share/Tillside',
          files: [
            { name: 'settings.json', bytes: 812 },
            { name: 'store/catalogue.db', bytes: 48_300_000 },
            { name: 'store/queue.db', bytes: 245_760 },
          ],
        },
        clock: { aheadMs: 400, at: nowMs - minute },
        keychain: { state: 'works', tookMs: 4, message: null },
        isSafeMode: false,
        statusFile: null,
        shopFile: scene.shopFile ?? null,
        log: [
          '{"at":"2026-03-02T10:00:00.000Z","level":"info","message":"starting"}',
          '{"at":"2026-03-02T10:00:02.000Z","level":"info","message":"catalogue: page","details":{"page":3}}',
        ],
      }),
    'support:readBundle': () =>
      ok({ name: 'tillside-support-2026-03-02-10-00.json', text: '{"about":"a made-up bundle"}' }),
    'provisioning:export': () => ok({ name: 'tillside-shop.json', text: '{"about":"a made-up file"}' }),
    'provisioning:open': ({ text }) => ok({ problems: text.includes('clientId') ? [] : ['clientId: is missing'] }),
    'device:read': () => no({ kind: 'notReady' }),
    'printer:printPage': () => ok({ isPrinted: false }),
  };
}
