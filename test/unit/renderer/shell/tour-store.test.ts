import { expect, test } from 'vitest';
import { createTourStore, tourSteps } from '../../../../renderer/shell/tour-store.ts';
import { createHeldBridge } from '../stores/held-bridge.ts';

test('goes through its steps, and is remembered after the last', async () => {
  const { bridge, calls } = createHeldBridge();
  const tour = createTourStore(bridge);
  expect(tour.getState().step).toBeNull();
  for (const step of tourSteps.slice(0, -1)) {
    await tour.getState().goOn(step);
  }
  expect([tour.getState().step, calls]).toEqual([tourSteps.at(-1), []]);
  void tour.getState().goOn('help');
  expect(tour.getState().step).toBe('ended');
  expect(calls.map(({ channel, input }) => ({ channel, input }))).toEqual([
    { channel: 'settings:update', input: { isTourSeen: true } },
  ]);
});

test('is skipped at once from any step, and can be called again', () => {
  for (const step of tourSteps) {
    const { bridge, calls } = createHeldBridge();
    const tour = createTourStore(bridge);
    if (step !== 'scan') {
      void tour.getState().goOn(tourSteps[tourSteps.indexOf(step) - 1] ?? 'scan');
    }
    void tour.getState().end();
    expect([tour.getState().step, calls.length]).toEqual(['ended', 1]);
    tour.getState().begin();
    expect(tour.getState().step).toBe('scan');
  }
});
