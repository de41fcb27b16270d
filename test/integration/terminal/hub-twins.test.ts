// Proves H16 of document.ts: a till whose data folder is a copy of another's, and that runs beside it, costs nobody the
// hub, and the limit holds.
import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { whileTimePasses } from '../../endurance/terminal-on-files.ts';
import { maxInWindow } from '../../endurance/judge.ts';
import { joinAs, openHubShop, openSignedIn } from '../../support/hub-shop.ts';

async function hubOf({ handlers }: Terminal) {
  const read = await handlers['hub:read']({});
  const state = read.ok ? read.value.hub?.state : null;
  return { mode: state?.mode, seen: state?.tills };
}

test.each(['the whole disk', 'the folder alone'])(
  'a till made from a copy of %s gets an id of its own (H16)',
  async (copied) => {
    const shop = await openHubShop();
    const { clock, hall, machine } = shop;
    const answer = hall.answer;
    const [sentAt, statuses] = [[] as number[], [] as number[]];
    hall.answer = async (request) => {
      sentAt.push(clock.now());
      const answered = await answer(request);
      statuses.push(answered.status);
      return answered;
    };
    const [first, copy, third] = [machine('one'), machine('two'), machine('three')];
    const one = await openSignedIn(shop, first.start());
    await joinAs(shop, one, 'Caixa 1');
    const three = await openSignedIn(shop, third.start());
    await joinAs(shop, three, 'Caixa 3');
    await clock.advance(420_000);
    await whileTimePasses(clock, one.close());
    cpSync(first.directory, copy.directory, { recursive: true });
    if (copied === 'the whole disk') {
      for (const [entry, secret] of first.secrets) copy.secrets.set(entry, secret);
    }
    const again = await openSignedIn(shop, first.start());
    const two = await openSignedIn(shop, copy.start());
    if (copied === 'the folder alone') await joinAs(shop, two, 'Caixa 2');
    const tills = [again, two, three];
    const figures: boolean[] = [];
    for (let round = 0; round < 60; round += 1) {
      for (const till of tills) {
        const productId = hall.products[round % hall.products.length] as Id;
        const found = await till.handlers['lookup:find']({ text: productId, source: 'typed' });
        const stockId = found.ok && found.value.kind === 'found' ? found.value.cards[0]?.stockId : undefined;
        void till.handlers['product:refresh']({ stockId: stockId as Id, productId }).then(({ ok }) => figures.push(ok));
      }
      await clock.advance(5_000);
    }
    await clock.advance(10_000);
    const ids = [first, copy, third].map((till) => till.settings()['hub']?.['terminalId']);
    expect(new Set(ids).size).toBe(3);
    expect((await Promise.all(tills.map(hubOf))).map(({ mode, seen }) => [mode, seen?.length])).toEqual(
      tills.map(() => ['shared', 3]),
    );
    expect(statuses).not.toContain(429);
    expect(maxInWindow(sentAt)).toBeLessThanOrEqual(60);
    // One was under way when its shop was opened anew.
    expect(figures.slice(9)).toEqual(Array.from({ length: 171 }, () => true));
  },
);
