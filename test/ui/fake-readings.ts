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
    'lookup:findSimilar': () => ok([]),
    'labelChoice:list': () => ok([]),
    'printer:list': () => ok(['Balcão', 'Depósito']),
    'product:readKept': () => ok({ movements: null, batches: null }),
    'product:readBatches': ({ productId }) => {
      const batch = (lot: string | null, day: string | null, amount: number, more: unknown[] = []) => ({
        facts: [
          { kind: 'number', name: 'id', value: 80_000_123 },
          ...(lot === null ? [] : [{ kind: 'text', name: 'lot_number', value: lot }]),
          { kind: 'number', name: 'quantity', value: amount },
          ...(day === null ? [] : [{ kind: 'date', name: 'expires_at', value: `${day}T23:59:59` }]),
          { kind: 'date', name: 'created_at', value: '2025-12-01T08:30:00' },
          ...more,
        ],
        expiresOn: day === null ? null : { name: 'expires_at', day },
        quantity: { name: 'quantity', amount },
        lot: lot === null ? null : { name: 'lot_number', text: lot },
      });
      const listed = [
        batch('L-0042', '2026-03-07', 12),
        batch('L-0043', '2026-03-10', 3),
        batch('L-0051', '2026-03-13', 48, [
          { kind: 'text', name: 'supplier.name', value: 'Torrefação Exemplo Ltda.' },
          { kind: 'number', name: 'unit_cost', value: 12.3456 },
        ]),
        batch('L-0077', '2026-09-30', 85),
        batch(null, null, 0.5),
      ];
      const all = Array.from(
        { length: scene.batches ?? listed.length },
        (_, place) => listed[place] ?? batch(`L-${1000 + place}`, '2027-01-31', place),
      );
      return ok({
        product: { id: productId, name: null, sku: null, unit: null },
        optionNames: '',
        total: all.length,
        batches: all,
        asOf: nowMs,
      });
    },
    'stock:export': ({ after }) => {
      const [productId, code, name] = after === 0 ? ['2001', '007', 'Café'] : ['2002', null, '=Pão'];
      const balance = { amount: -1.5, asOf: null, source: null };
      const hit = { stockId: '11', stockName: 'Loja', productId, code, name, unit: 'KG', balance };
      const rows = [{ hit, barcodes: [], minimum: null, updatedAt: null, updatedBy: 'platform' }];
      return ok({ view: 9, total: 2, found: 2, isWhole: true, rows, next: after === 0 ? 1 : null });
    },
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
  };
}
