import { expect, test } from 'vitest';
import type { ScannerDeviceChoice, ScannerReading } from '../../../../../app/domain/scanner-device.ts';
import { createScannerKeeper, type PageListener } from '../../../../../app/hosts/electron/scanner-device/keeper.ts';
import type { OpenOutcome } from '../../../../../app/hosts/electron/scanner-device/messages.ts';
import { createManualClock, settlePromises } from '../../../../support/manual-clock.ts';

const choice: ScannerDeviceChoice = {
  kind: 'serial',
  vendorId: 0x0c2e,
  productId: 0x0b81,
  serialNumber: 'A1',
  name: 'Scanner',
  baudRate: 9600,
};
const other: ScannerDeviceChoice = { ...choice, serialNumber: 'B2' };

function open(begin = true) {
  const clock = createManualClock();
  const pages: { readonly opened: ScannerDeviceChoice[]; isOpen: boolean; readonly listener: PageListener }[] = [];
  const attemptsAtMs: number[] = [];
  const world = { outcome: 'opened' as OpenOutcome | 'never', late: [] as ((outcome: OpenOutcome) => void)[] };
  const emitted: string[] = [];
  const readings: ScannerReading[] = [];
  const keeper = createScannerKeeper({
    clock,
    openPage: (listener) => {
      const page = { opened: [] as ScannerDeviceChoice[], isOpen: true, listener };
      pages.push(page);
      return {
        open: (wanted) => {
          page.opened.push(wanted);
          attemptsAtMs.push(clock.uptimeMs() - 1_000_000);
          const { outcome } = world;
          return outcome === 'never'
            ? new Promise<OpenOutcome>((resolve) => void world.late.push(resolve))
            : Promise.resolve(outcome);
        },
        list: () => (world.outcome === 'never' ? new Promise(() => undefined) : Promise.resolve([choice, other])),
        close: () => {
          page.isOpen = false;
        },
      };
    },
  });
  keeper.listen({ changed: () => emitted.push(keeper.connection()), read: (reading) => readings.push(reading) });
  if (begin) {
    keeper.begin();
  }
  return {
    clock,
    keeper,
    pages,
    world,
    emitted,
    readings,
    attemptsAtMs,
    openPages: () => pages.filter(({ isOpen }) => isOpen).length,
  };
}

test('K1 nothing chosen: no page; chosen: one; another: another one; none again: none', async () => {
  const { keeper, pages, emitted, openPages } = open();
  expect(openPages()).toBe(0);
  keeper.use(choice);
  keeper.use({ ...choice });
  await settlePromises();
  expect([openPages(), pages.length]).toEqual([1, 1]);
  keeper.use(other);
  await settlePromises();
  expect([openPages(), pages.length]).toEqual([1, 2]);
  expect(pages.map(({ opened }) => opened)).toEqual([[choice], [other]]);
  keeper.use(null);
  expect(openPages()).toBe(0);
  expect(emitted).toEqual(['connecting', 'connected', 'connecting', 'connected', 'off']);
});

test('what is chosen before the window is there waits for it', async () => {
  const { keeper, pages } = open(false);
  keeper.use(choice);
  expect(await keeper.list()).toEqual([]);
  expect(pages).toHaveLength(0);
  keeper.begin();
  await settlePromises();
  expect(keeper.connection()).toBe('connected');
});

test('a scanner that was pulled out is absent, is tried with growing pauses, and connects when it is back', async () => {
  const { keeper, pages, world, clock, attemptsAtMs, readings } = open();
  keeper.use(choice);
  await clock.advance(20_000);
  world.outcome = 'absent';
  pages[0]?.listener.onClosed();
  expect(keeper.connection()).toBe('absent');
  attemptsAtMs.length = 0;
  await clock.advance(20_000);
  expect(attemptsAtMs.map((atMs) => atMs - 20_000)).toEqual([500, 1500, 3500, 7500, 12_500, 17_500]);
  world.outcome = 'opened';
  await clock.advance(5000);
  expect(keeper.connection()).toBe('connected');
  pages[0]?.listener.onReading({ text: '7891000053508', symbology: null });
  expect(readings).toHaveLength(1);
});

test('K3 one that connects and falls off again and again is not tried without end', async () => {
  const { keeper, pages, clock, attemptsAtMs } = open();
  keeper.use(choice);
  await settlePromises();
  for (let fall = 0; fall < 100 && attemptsAtMs.length < 10; fall += 1) {
    pages[0]?.listener.onClosed();
    await clock.advance(1000);
  }
  expect(attemptsAtMs.at(-1)).toBeGreaterThan(20_000);
});

test.each(['refused', 'unsuited'] as const)('%s is said, and tried again', async (outcome) => {
  const { keeper, world, clock } = open();
  world.outcome = outcome;
  keeper.use(choice);
  await settlePromises();
  expect(keeper.connection()).toBe(outcome);
  world.outcome = 'opened';
  await clock.advance(500);
  expect(keeper.connection()).toBe('connected');
});

test("K2 a page that does not answer is given up, and what it says afterwards is nobody's", async () => {
  const { keeper, pages, world, clock, openPages, readings } = open();
  world.outcome = 'never';
  keeper.use(choice);
  await clock.advance(10_000);
  expect(keeper.connection()).toBe('refused');
  world.outcome = 'opened';
  await clock.advance(500);
  expect([keeper.connection(), openPages(), pages.length]).toEqual(['connected', 1, 2]);
  pages[0]?.listener.onReading({ text: '1', symbology: null });
  pages[0]?.listener.onClosed();
  world.late[0]?.('absent');
  await settlePromises();
  expect([keeper.connection(), readings]).toEqual(['connected', []]);
});

test('K1 a list opens a page only for itself, leaves a connected one, and ends if the system is silent', async () => {
  const { keeper, world, clock, openPages } = open();
  expect(await keeper.list()).toEqual([choice, other]);
  expect(openPages()).toBe(0);
  keeper.use(choice);
  await settlePromises();
  expect(await keeper.list()).toEqual([choice, other]);
  expect([openPages(), keeper.connection()]).toEqual([1, 'connected']);
  world.outcome = 'never';
  const listed = keeper.list();
  await clock.advance(5000);
  expect(await listed).toEqual([]);
});

test('closed, nothing is held or tried any more', async () => {
  const { keeper, world, clock, openPages, attemptsAtMs } = open();
  world.outcome = 'absent';
  keeper.use(choice);
  await clock.advance(600);
  keeper.close();
  const before = attemptsAtMs.length;
  await clock.advance(60_000);
  expect([openPages(), attemptsAtMs.length]).toEqual([0, before]);
});
