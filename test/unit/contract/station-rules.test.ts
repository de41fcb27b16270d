// The proof of what the page may ask for at the check station: every channel is written out here, so that a new one is
// refused until somebody decides otherwise.
import { expect, test } from 'vitest';
import { events, invokes, type Channel } from '../../../app/contract/contract.ts';
import { stationEvents, stationRules } from '../../../app/contract/station-rules.ts';

const answered: readonly Channel[] = ['terminal:read', 'station:find', 'station:leave'];

test('the state, the lookup and the way out are answered, and nothing else', () => {
  expect(Object.keys(stationRules).toSorted()).toEqual(Object.keys(invokes).toSorted());
  expect(Object.entries(stationRules).filter(([, rule]) => rule === 'answered')).toEqual(
    answered.map((channel) => [channel, 'answered']),
  );
});

test('a scanner is heard, the state is reduced, and no other event crosses', () => {
  expect(Object.keys(stationEvents).toSorted()).toEqual(Object.keys(events).toSorted());
  const crossing = Object.entries(stationEvents).filter(([, rule]) => rule !== 'withheld');
  expect(Object.fromEntries(crossing)).toEqual({ 'terminal:changed': 'reduced', 'scanner:read': 'sent' });
});
