import { expect, test } from 'vitest';
import { reportHub } from '../simulation/hub/report-hub.ts';
import { runSeed } from '../simulation/run-seed.ts';
import { verdict } from '../simulation/verdict.ts';

const known: readonly [seed: number, rule: string, what: string][] = [
  [14, 'I22', 'a 429 was forgotten before its quarter of an hour was over'],
  [22, 'I3', 'an update forgot that it was overtaken when an older one was sealed anew'],
  [156, 'I4', 'readings counted for less after an answer found no room on disk'],
  [1090, 'I0', 'a reading came in the moment of closing'],
  [90215, 'I15', 'newer figures were refused while the clock was set back'],
  [271830, 'I0', 'a disk that refuses made trying again throw'],
  [271869, 'I4', 'an update was brought back when its user had drained'],
  [272327, 'I9', 'an update of minutes ago was parked as old'],
  [500113, 'I1', 'a start in the year 2000 forgot the history'],
  [910029, 'I16', 'a gone product was judged while late listings still showed it'],
  [20000022, 'I3', 'a request with an altered row arrived after its replacement'],
  [40002130, 'I2', 'a key lost its age at a reopening with the clock in 2000'],
  [61000066, 'I12', 'closing did not wait for the keychain to have the new token'],
  [64072702, 'I2', 'a request with an altered row took effect, and so did the next'],
  [64072730, 'I15', 'a row that moved past an empty page was lost until a listing'],
  [932281309, 'I2', 'two starts in 2000 counted as no time; an old key was sent again'],
  [932281313, 'I12', 'a portal, a cut-off answer and a proxy spent a renewal’s key'],
  [932281314, 'I2', 'a restoration went out again after a 500 and a new deletion'],
  [1334195521, 'I22', 'a trial’s request outlived the rate limit that it counted in'],
  [1440505430, 'I15', 'what moved to the next page and changed was joined to what it was'],
  [1795346367, 'I22', 'batches were asked for again, with a new token, during a page'],
  [1795794210, 'I0', 'a copy that was closed by keeping an answer was read on'],
];

const knownOfHub: readonly [seed: number, rule: string, what: string][] = [
  [60, 'H6', 'a till that no longer believed the hub kept others from a turn'],
  [9044, 'H6', 'tills that joined while the hub was lost had no share'],
  [9059, 'H6', 'the same in a window of two minutes'],
];

test.for(known)('seed %i holds %s; before: %s', async ([seed]) => {
  expect(verdict(await runSeed({ seed, shiftHours: 0.25, isPressed: false }))).toBe('all hold');
});

test.for(knownOfHub)('seed %i of the hub holds %s; before: %s', async ([seed]) => {
  expect((await reportHub({ seed })).violations).toEqual([]);
});
