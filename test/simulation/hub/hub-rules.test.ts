// For each rule of the hub the moment in which it matters. Random seeds seldom meet these.
import { describe, expect, test } from 'vitest';
import { callTimeoutMs, growAfterMs, type HubDocument } from '../../../app/hub/document.ts';
import type { HubLink } from '../../../app/hub/link.ts';
import { createSealedDocument, lifeRegister } from '../../../app/hub/sealed-document.ts';
import { fail } from '../../../app/domain/result.ts';
import { maxWindowMs } from '../../../app/rate-limit/rules.ts';
import { shareOf } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { hubKey } from './hub-terminal.ts';
import { shopAccount } from './register.ts';
import { cut, later, minuteMs, mostInAWindow, openShop, type Shop } from './shop.ts';

function passed({ world }: Shop, ms: number): Promise<void> {
  return new Promise((resolve) => {
    world.after(ms, resolve);
  });
}

/** The changes that one terminal makes to its link. */
function onLinkOf(terminal: number, change: (link: HubLink) => Partial<HubLink>) {
  return (link: HubLink, at: number): HubLink => (at === terminal ? { ...link, ...change(link) } : link);
}

describe('a terminal that lowers its share for another, and never hears of it', () => {
  async function lowerUnheard(then: (shop: Shop) => void): Promise<Shop> {
    let isLowering = false;
    const shop = openShop(
      2,
      onLinkOf(0, (link) => ({
        write: (...input) => {
          if (isLowering) {
            Object.assign(shop.terminals[0]?.lines ?? {}, { isBackCut: true });
            isLowering = false;
            shop.world.after(1_000, () => {
              then(shop);
            });
          }
          return link.write(...input);
        },
      })),
    );
    shop.terminals[1]?.crash();
    await later(shop, 2 * minuteMs);
    expect(shop.terminals[0]?.member()?.state().share).toBe(60);
    shop.terminals[1]?.start(false);
    // Sooner, the write whose answer is lost is not the one that lowers the share.
    await later(shop, 5_000);
    isLowering = true;
    await later(shop, growAfterMs(minuteMs) + minuteMs);
    expect(shop.terminals[0]?.member()?.state().mode).toBe('alone');
    shop.ask(0, 'person', 100);
    shop.ask(1, 'queue', 100);
    await later(shop, minuteMs);
    return shop;
  }

  test('uses the lower one (H2)', async () => {
    const shop = await lowerUnheard(() => undefined);
    expect(mostInAWindow(shop)).toBeGreaterThan(50);
    expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
  });

  test.each([false, true])('uses the lower one when it starts again (H10); with its machine: %s', async (isReboot) => {
    const shop = await lowerUnheard(({ terminals }) => {
      terminals[0]?.crash();
      terminals[0]?.start(isReboot);
    });
    expect(mostInAWindow(shop)).toBeGreaterThan(50);
    expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
  });
});

test('what was lent to a terminal that is cut off still counts (H3)', async () => {
  const shop = openShop(2);
  await later(shop, 2 * minuteMs);
  shop.ask(0, 'queue', 57);
  await later(shop, 5_000);
  cut(shop.terminals[0], true);
  await later(shop, 30_000);
  shop.ask(1, 'queue', 60);
  await later(shop, 20_000);
  expect(mostInAWindow(shop)).toBeGreaterThan(50);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});

describe('a platform whose window is ten minutes', () => {
  const tenMinutesMs = 10 * minuteMs;

  test.each([
    ['when all terminals know', () => tenMinutesMs],
    ['when only the one that is cut off knows', (at: number) => (at === 0 ? tenMinutesMs : minuteMs)],
    ['when only the other knows', (at: number) => (at === 0 ? minuteMs : tenMinutesMs)],
  ])('never sees more than the limit from a terminal that is cut off, %s (H1, H6)', async (_, windowMsOf) => {
    const shop = openShop(2, undefined, windowMsOf);
    await later(shop, 2 * minuteMs);
    shop.ask(0, 'queue', 50);
    await later(shop, 10_000);
    expect(shop.arrivals[0]?.length).toBeGreaterThan(40);
    cut(shop.terminals[0], true);
    for (let minute = 0; minute < 20; minute += 1) {
      await later(shop, minuteMs);
      shop.ask(1, 'queue', 60);
      shop.ask(0, 'person', 20);
    }
    expect(mostInAWindow(shop, tenMinutesMs)).toBeGreaterThan(50);
    expect(mostInAWindow(shop, tenMinutesMs)).toBeLessThanOrEqual(60);
  });

  test('lends again after a loss once everything from before is over (H8)', async () => {
    const shop = openShop(2, undefined, () => tenMinutesMs);
    await later(shop, 2 * minuteMs);
    shop.ask(0, 'queue', 50);
    await later(shop, 10_000);
    cut(shop.terminals[0], true);
    shop.register.empty();
    shop.ask(1, 'queue', 200);
    await later(shop, growAfterMs(tenMinutesMs) - minuteMs);
    expect(mostInAWindow(shop, tenMinutesMs)).toBeLessThanOrEqual(60);
    await later(shop, 3 * minuteMs);
    expect(shop.arrivals[1]?.length).toBeGreaterThan(20);
    expect(mostInAWindow(shop, tenMinutesMs)).toBeLessThanOrEqual(60);
  });

  test('leaves a hub believed whose limit is used up for minutes (H9)', async () => {
    const shop = openShop(2, undefined, () => tenMinutesMs);
    await later(shop, 2 * minuteMs);
    shop.ask(0, 'queue', 60);
    await later(shop, 10_000);
    shop.ask(1, 'person', 60);
    await later(shop, 9 * minuteMs);
    expect(shop.terminals[1]?.member()?.state().mode).toBe('shared');
  });
});

describe('five terminals that move to another hub, one after the other', () => {
  test.each(shareOf([20, 400], 1))('never send more than the limit, %i s apart (H1, H8)', async (gapSeconds) => {
    const shop = openShop(5);
    await later(shop, 2 * minuteMs);
    for (const at of [...shop.terminals.keys(), null]) {
      if (at !== null) {
        void shop.move(at);
      }
      for (let seconds = 0; seconds < gapSeconds; seconds += 10) {
        for (const one of shop.terminals.keys()) {
          shop.ask(one, seconds % 20 === 0 ? 'person' : 'queue', 3);
        }
        await later(shop, 10_000);
      }
    }
    expect(mostInAWindow(shop)).toBeGreaterThan(40);
    expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
    await later(shop, growAfterMs(minuteMs) + minuteMs);
    expect(shop.terminals.map((one) => one.member()?.state().share)).toEqual([12, 12, 12, 12, 12]);
    expect(Object.keys(shop.terminals[0]?.member()?.state().document?.members ?? {})).toHaveLength(5);
  });
});

test('a terminal that has moved writes over nothing that it cannot read at the other hub (H8)', async () => {
  let isOtherKey = false;
  let writes = 0;
  const shop = openShop(
    2,
    onLinkOf(1, (link) => ({
      read: async (account, timeoutMs) => {
        const read = await link.read(account, timeoutMs);
        return isOtherKey && read.ok ? { ok: true, value: { ...read.value, document: 'AAAA' } } : read;
      },
      write: (...input) => {
        writes += isOtherKey ? 1 : 0;
        return link.write(...input);
      },
    })),
  );
  await later(shop, 2 * minuteMs);
  void shop.move(1);
  await later(shop, 10);
  isOtherKey = true;
  await later(shop, minuteMs);
  expect(shop.terminals[1]?.member()?.state()).toMatchObject({ failure: 'otherKey' });
  expect(writes).toBe(0);
});

test('slots that were granted before a machine slept do not leave when it wakes (H4)', async () => {
  const shop = openShop(10);
  await later(shop, 2 * minuteMs);
  const [sleeper] = shop.terminals;
  Object.assign(sleeper?.lines ?? {}, { meanMs: 1 });
  let granted = 0;
  let isAsleep = false;
  for (let time = 0; time < 50; time += 1) {
    sleeper?.ask('person', () => {
      granted += 1;
      if (granted - (shop.arrivals[0]?.length ?? 0) >= 8 && !isAsleep) {
        isAsleep = true;
        sleeper.suspend(growAfterMs(minuteMs) + 20_000);
      }
    });
  }
  await later(shop, growAfterMs(minuteMs));
  expect(isAsleep).toBe(true);
  for (const at of shop.terminals.keys()) {
    shop.ask(at, 'person', at === 0 ? 0 : 10);
  }
  await later(shop, 40_000);
  expect(mostInAWindow(shop)).toBeGreaterThan(50);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});

test('the share is kept for a terminal whose writes arrive and whose answers do not (H6)', async () => {
  let isHeard = true;
  const shop = openShop(
    2,
    onLinkOf(0, (link) => ({
      write: async (...input) => {
        const written = await link.write(...input);
        if (isHeard) {
          return written;
        }
        await passed(shop, callTimeoutMs);
        return { ok: false, failure: { kind: 'noAnswer' } };
      },
    })),
  );
  await later(shop, 2 * minuteMs);
  isHeard = false;
  await later(shop, growAfterMs(minuteMs) + minuteMs);
  expect(shop.terminals[0]?.member()?.state().mode).toBe('alone');
  shop.ask(1, 'queue', 60);
  await later(shop, 5_000);
  shop.ask(0, 'person', 60);
  await later(shop, 30_000);
  expect(mostInAWindow(shop)).toBeGreaterThan(50);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});

test('a terminal that slept with its hub in the middle of a reading sends no share while it returns (H7)', async () => {
  const sleepsMs = 2 * growAfterMs(minuteMs);
  let step: 'awake' | 'reading' | 'woken' | 'returning' = 'awake';
  const shop = openShop(
    2,
    onLinkOf(0, (link) => ({
      read: (name, timeoutMs) => {
        if (step !== 'reading') {
          return link.read(name, timeoutMs);
        }
        step = 'woken';
        // Else it may write before, and this one reads anew, at a fresh time.
        shop.terminals[1]?.suspend(sleepsMs + 500);
        shop.register.setFrozen(true);
        shop.terminals[0]?.suspend(sleepsMs);
        shop.world.after(sleepsMs, () => {
          shop.register.setFrozen(false);
        });
        // Its timer does not run while the machine sleeps.
        return link.read(name, 2 * sleepsMs);
      },
      write: async (...input) => {
        const written = await link.write(...input);
        if (step === 'returning') {
          step = 'awake';
          // The record lies at the hub, and the answer is under way still.
          shop.ask(0, 'person', 40);
          shop.ask(1, 'queue', 60);
          await passed(shop, 1_500);
        } else if (step === 'woken') {
          step = 'returning';
        }
        return written;
      },
    })),
  );
  await later(shop, 2 * minuteMs);
  step = 'reading';
  await later(shop, sleepsMs + 20_000);
  expect(step).toBe('awake');
  await later(shop, 20_000);
  expect(mostInAWindow(shop)).toBeGreaterThan(50);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});

test('what was lent after the backup that a hub was restored from still counts (H8)', async () => {
  const shop = openShop(2);
  await later(shop, minuteMs);
  shop.register.backUp();
  await later(shop, minuteMs);
  // The last document that the other has seen is from before all that.
  cut(shop.terminals[1], true);
  shop.ask(0, 'queue', 57);
  await later(shop, 5_000);
  expect(shop.arrivals[0]?.length).toBeGreaterThan(50);
  cut(shop.terminals[0], true);
  shop.register.restore();
  cut(shop.terminals[1], false);
  await later(shop, 26_000);
  shop.ask(1, 'queue', 60);
  await later(shop, 20_000);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
  await later(shop, growAfterMs(minuteMs));
  expect(shop.arrivals[1]?.length).toBeGreaterThan(20);
});

test('a hub emptied by a backup of its first day lends nothing before what was lent is over (H8)', async () => {
  // The second begins anew: it remembers nothing.
  const shop = openShop(2);
  shop.terminals[1]?.crash();
  shop.ask(0, 'queue', 57);
  await later(shop, 5_000);
  expect(shop.arrivals[0]?.length).toBeGreaterThan(50);
  cut(shop.terminals[0], true);
  shop.register.restore();
  shop.terminals[1]?.start(false);
  shop.ask(1, 'queue', 60);
  await later(shop, 50_000);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});

test.each([
  ['background', 'catalogue', 20],
  ['a person', 'person', 70],
] as const)(
  'while nothing is lent after a loss, %s asks the hub no more often than a till at rest (H8)',
  async (_, lane, most) => {
    let reads = 0;
    const shop = openShop(2, (link) => ({
      ...link,
      read: (...input) => {
        reads += 1;
        return link.read(...input);
      },
    }));
    await later(shop, 2 * minuteMs);
    shop.register.empty();
    [0, 1].forEach((at) => shop.ask(at, lane, 20));
    await later(shop, minuteMs);
    reads = 0;
    await later(shop, minuteMs);
    expect(reads).toBeLessThan(most);
    // And all of it is sent soon after that.
    await later(shop, growAfterMs(minuteMs) - minuteMs);
    expect(shop.arrivals.map((sent) => sent.length)).toEqual([20, 20]);
  },
);

describe('a second account on a hub that is in use', () => {
  /** All but the first terminal use another account, from when they are started; what `isLost` is not answered to them. */
  function openTwo(isLost: (name: string) => boolean = () => false): Shop {
    const shop = openShop(3, (link, at) => {
      const nameOf = (name: string): string => (at > 0 && name === shopAccount ? 'another' : name);
      return {
        ...link,
        read: async (name, ...rest) =>
          at > 0 && isLost(name) ? fail({ kind: 'noAnswer' }) : link.read(nameOf(name), ...rest),
        write: (name, ...rest) => link.write(nameOf(name), ...rest),
      };
    });
    shop.terminals[1]?.crash();
    shop.terminals[2]?.crash();
    return shop;
  }

  /** How many requests one of them has sent ten seconds after its start. */
  async function sentSoon(shop: Shop, at = 1): Promise<number> {
    shop.terminals[at]?.start(false);
    shop.ask(at, 'queue', 40);
    await later(shop, 10_000);
    return shop.arrivals[at]?.length ?? 0;
  }
  const longMs = growAfterMs(maxWindowMs) + minuteMs;

  test('is lent slots within seconds where the server has run since the hub was set up', async () => {
    const shop = openTwo();
    await later(shop, minuteMs);
    expect(await sentSoon(shop)).toBe(40);
  });

  test('is lent slots within seconds once a terminal has seen for long enough that nothing was lost', async () => {
    const shop = openTwo();
    await later(shop, minuteMs);
    shop.register.restart();
    await later(shop, longMs);
    expect(await sentSoon(shop)).toBe(40);
  });

  test('is lent slots within seconds also where its first question about that is not answered', async () => {
    let lost = 0;
    const shop = openTwo((name) => name === lifeRegister && (lost += 1) === 1);
    await later(shop, minuteMs);
    shop.register.restart();
    await later(shop, longMs);
    expect(await sentSoon(shop)).toBe(40);
    expect(lost).toBeGreaterThan(1);
  });

  test('waits where the server was started a short while ago (H8)', async () => {
    const shop = openTwo();
    await later(shop, longMs);
    shop.register.restart();
    await later(shop, 5 * minuteMs);
    expect(await sentSoon(shop)).toBe(0);
    await later(shop, growAfterMs(minuteMs));
    expect(shop.arrivals[1]).toHaveLength(40);
  });

  test('waits where a backup from before it was put back (H8)', async () => {
    const shop = openTwo();
    shop.register.restart();
    await later(shop, longMs);
    shop.register.backUp();
    expect(await sentSoon(shop)).toBe(40);
    // The first of that account is cut off with what it was lent, and another takes its place.
    shop.terminals[1]?.crash();
    shop.register.restore();
    expect(await sentSoon(shop, 2)).toBe(0);
    await later(shop, growAfterMs(minuteMs));
    expect(shop.arrivals[2]).toHaveLength(40);
  });
});

test('a hub in which somebody else always has all that is free is not believed (H9)', async () => {
  let isLying = false;
  const random = createSeededRandom('lies');
  const shop = openShop(
    2,
    onLinkOf(0, (link) => ({
      read: async (...input) => {
        const writer = createSealedDocument({ random, link, account: shopAccount, key: hubKey });
        const read = isLying ? await writer.read() : null;
        const document = read?.ok === true ? read.value.document : null;
        if (read?.ok === true && document !== null && document !== 'unreadable') {
          const { loMs, hiMs, members } = document;
          const other = members['till 1'];
          const hog = { rights: 57, writtenLoMs: loMs, writtenHiMs: hiMs + minuteMs, heardHiMs: hiMs };
          if (other !== undefined) {
            await writer.write(read.value.reading, {
              ...document,
              members: { ...members, 'till 1': { ...other, ...hog } },
            });
          }
        }
        return link.read(...input);
      },
    })),
  );
  await later(shop, 2 * minuteMs);
  isLying = true;
  shop.ask(0, 'person', 200);
  await later(shop, 2 * minuteMs);
  expect(shop.arrivals[0]?.length).toBeLessThan(10);
  await later(shop, growAfterMs(minuteMs) + 10_000);
  expect(shop.arrivals[0]?.length).toBeGreaterThan(40);
});

test('terminals without a share that believe the hub no more still use what they are lent (H9)', async () => {
  const shop = openShop(5);
  const play = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const at of shop.terminals.keys()) {
        shop.ask(at, 'person', 3);
        shop.ask(at, 'catalogue', 6);
      }
      await later(shop, minuteMs);
    }
  };
  // All is lost time and again: nothing is lent for so long that the hub is not believed, and nobody has got a share.
  for (let loss = 0; loss < 4; loss += 1) {
    shop.register.empty();
    await play(4);
  }
  expect(shop.terminals.map((terminal) => terminal.member()?.state().share)).toEqual([0, 0, 0, 0, 0]);
  await play(15);
  expect(shop.terminals.map((terminal) => terminal.member()?.state().mode)).toEqual(Array(5).fill('shared'));
  expect(shop.terminals.map((terminal) => terminal.member()?.state().share)).toEqual(Array(5).fill(12));
  expect(mostInAWindow(shop)).toBeGreaterThan(50);
  expect(mostInAWindow(shop)).toBeLessThanOrEqual(60);
});

test('requests of the minute before a crash still count (H10)', async () => {
  const shop = openShop(2);
  await later(shop, 2 * minuteMs);
  shop.ask(0, 'queue', 60);
  await later(shop, 5_000);
  shop.ask(0, 'person', 3);
  shop.ask(1, 'person', 3);
  await later(shop, 5_000);
  shop.terminals[0]?.crash();
  shop.terminals[0]?.start(false);
  shop.ask(0, 'person', 60);
  await later(shop, 30_000);
  expect(mostInAWindow(shop)).toBe(60);
});

test('a 429 at one terminal lets the others pause (H12)', async () => {
  const shop = openShop(2);
  await later(shop, minuteMs);
  shop.status = 429;
  shop.ask(0, 'person', 1);
  await later(shop, 1_000);
  shop.status = 200;
  // The other asks the hub for it, and hears of the pause.
  const waits = shop.ask(1, 'catalogue', 1);
  await later(shop, minuteMs);
  expect(waits[0]).toBeGreaterThan(3_000);
});

/** Two terminals, and somebody with the key who, once they come, writes the document as `alter` makes it. */
function openWithThief(alter: (document: HubDocument) => HubDocument) {
  const random = createSeededRandom('thief');
  let isThere = false;
  const shop = openShop(
    2,
    onLinkOf(0, (link) => ({
      read: async (...input) => {
        const writer = createSealedDocument({ random, link, account: shopAccount, key: hubKey });
        const read = isThere ? await writer.read() : null;
        isThere = false;
        const document = read?.ok === true ? read.value.document : null;
        if (read?.ok === true && document !== null && document !== 'unreadable') {
          await writer.write(read.value.reading, alter(document));
        }
        return link.read(...input);
      },
    })),
  );
  return {
    shop,
    come: (): void => void (isThere = true),
    modes: (): unknown => shop.terminals.map((terminal) => terminal.member()?.state().mode),
  };
}

test.each(['writes', 'refusals'])(
  '%s that somebody with the key has counted to the end keep no terminal from the others',
  async (what) => {
    const last = Number.MAX_SAFE_INTEGER;
    const { shop, come, modes } = openWithThief((document) => {
      const { members, loMs: notedLoMs } = document;
      const counted = Object.entries(members).map(([id, member]) => [id, { ...member, writes: last }] as const);
      return what === 'writes'
        ? { ...document, members: Object.fromEntries(counted) }
        : { ...document, refusal: { count: last, notedLoMs, pauseMs: 0, sharing: null } };
    });
    await later(shop, 2 * minuteMs);
    come();
    await later(shop, minuteMs);
    shop.status = 429;
    shop.ask(0, 'person', 1);
    await later(shop, 5_000);
    shop.status = 200;
    await later(shop, growAfterMs(minuteMs) + 2 * minuteMs);
    expect(modes()).toEqual(['shared', 'shared']);
    shop.register.empty();
    await later(shop, growAfterMs(minuteMs) + 2 * minuteMs);
    expect(modes()).toEqual(['shared', 'shared']);
  },
);

test.each(['constructor', 'toString', '__proto__'])(
  'a member that somebody with the key has called %s keeps no terminal from the others',
  async (id) => {
    const { shop, come, modes } = openWithThief((document) => {
      const [[, first] = expect.fail('nobody is there')] = Object.entries(document.members);
      return { ...document, members: Object.fromEntries([...Object.entries(document.members), [id, first]]) };
    });
    await later(shop, 2 * minuteMs);
    come();
    await later(shop, minuteMs);
    expect(modes()).toEqual(['shared', 'shared']);
    shop.register.empty();
    await later(shop, growAfterMs(minuteMs) + 2 * minuteMs);
    expect(modes()).toEqual(['shared', 'shared']);
    shop.ask(0, 'person', 1);
    await later(shop, 5_000);
    expect(mostInAWindow(shop)).toBe(1);
  },
);

test('after an error that nobody foresaw in an exchange the next one rests', async () => {
  const reads: (() => void)[] = [];
  let count = 0;
  const shop = openShop(
    1,
    onLinkOf(0, (link) => ({
      read: (...input) => {
        count += 1;
        reads.pop()?.();
        return link.read(...input);
      },
    })),
  );
  await later(shop, 2 * minuteMs);
  reads.push(() => {
    throw new TypeError('made up');
  });
  shop.ask(0, 'queue', 100);
  const before = count;
  const removal = shop.terminals[0]?.member()?.remove(['another']);
  const ended = removal?.catch((error: unknown) => error);
  await later(shop, 400);
  expect(await ended).toBeInstanceOf(TypeError);
  expect(count - before).toBe(1);
  await later(shop, 5_000);
  expect(count - before).toBeGreaterThan(1);
});
