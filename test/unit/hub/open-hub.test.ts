import { expect, onTestFinished, test } from 'vitest';
import { openHub } from '../../../app/hub/open-hub.ts';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { documentedRules } from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { createHubRegister, hubAddress } from '../../support/hub-register.ts';
import { memberOf } from '../../support/hub-document.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { stealTill } from '../../support/stolen-till.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const platform = 'https://platform.example.com';
const rules = documentedRules;

async function openTill() {
  const clock = createManualClock();
  const register = createHubRegister(clock);
  const database = await openQueueDatabase(temporaryDirectory());
  const link = register.open(hubAddress);
  const asked = { times: 0 };
  const hub = openHub({ clock, random: createSeededRandom('one') }, database, {
    platform,
    account: null,
    hub: {
      link: {
        ...link,
        read: (...input) => {
          asked.times += 1;
          return link.read(...input);
        },
      },
      key: Buffer.from(hubAddress.storeKey, 'base64url'),
      self: { id: 'one', name: 'Caixa 1', appVersion: '1.0.0' },
      place: 'hub',
      ending: () => 'closing',
      onTwin: () => undefined,
    },
    rateLimitRules: () => rules,
  });
  const { member, historyOf } = hub ?? expect.fail('no hub');
  const rateLimit = openRateLimit(clock, openSendLog(database, platform, null), () => rules, member.turns);
  member.start(rateLimit);
  onTestFinished(async () => {
    rateLimit.close();
    await member.close();
  });
  await clock.advance(60_000);
  const thief = await stealTill({ clock, register }, { platformUrl: platform, companyId: '7' as Id });
  return { clock, asked, member, historyOf, thief };
}

test('nothing is kept of tills that have left the document: a stolen till may make up others each time', async () => {
  const { clock, member, historyOf, thief } = await openTill();
  const spoil = (id: string) =>
    thief.spoil(({ members: { one }, ...document }) => ({
      ...document,
      members: {
        ...(one === undefined ? {} : { one }),
        [id]: memberOf({ share: 1, writtenLoMs: document.loMs, writtenHiMs: document.hiMs, heardHiMs: document.hiMs }),
      },
    }));
  await spoil('made up 1');
  await clock.advance(20_000);
  expect([member.hasMember('made up 1'), historyOf('made up 1').length]).toEqual([true, expect.any(Number)]);
  expect(historyOf('made up 1')).not.toEqual([]);
  await spoil('made up 2');
  await clock.advance(20_000);
  expect(historyOf('made up 2')).not.toEqual([]);
  expect([member.hasMember('made up 1'), historyOf('made up 1')]).toEqual([false, []]);
});

test.each([
  ['the slower', { loMs: 1e300 }],
  ['the faster', { hiMs: 1e300 }],
  ['both', { loMs: 1e300, hiMs: 1e300 }],
])('a document of which %s clock is too late to count by has no till ask without a pause', async (_, times) => {
  const { clock, asked, thief } = await openTill();
  await thief.spoil((document) => ({ ...document, ...times }));
  await clock.advance(10_000);
  asked.times = 0;
  await clock.advance(60_000);
  expect(asked.times).toBeLessThan(60 * 5);
});
