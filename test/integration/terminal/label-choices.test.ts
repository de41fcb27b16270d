// Proves over real HTTP and real files that what a person chose for a scale's label outlives the copy and a restart, is
// told as such, can be chosen otherwise and forgotten, and that only who is signed in teaches the terminal.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDigitOf } from '../../../app/domain/codes/barcode.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { copied, openCopied, signIn } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const layouts = ['2CC0000TTTTTV', '2XC0000TTTTTV'];

/** Two products of which the label of the first is read as the second's too. */
function twoOf({ products }: TrainingPlatform): { readonly code: string; readonly ids: readonly [Id, Id] } {
  for (let index = 10; index < products.count; index += 1) {
    const code = String(index + 1);
    const other = products.indexOfCode(code.slice(1).padStart(6, '0'));
    if (products.indexOfCode(code.padStart(6, '0')) === index && other !== null) {
      return { code, ids: [String(products.idAt(index)) as Id, String(products.idAt(other)) as Id] };
    }
  }
  return expect.fail('no two products');
}

const labelOf = (code: string, cents: number): string => {
  const body = `2${code}0000${String(cents).padStart(5, '0')}`;
  return body + checkDigitOf(body);
};

async function opened() {
  const till = await openCopied();
  valueOf(await till.handlers['settings:update']({ scaleLayouts: layouts }));
  return { ...till, ...twoOf(till.platform) };
}

const scanned = async ({ handlers }: Terminal, text: string) =>
  valueOf(await handlers['lookup:find']({ text, source: 'scan' }));

test('a choice answers from then on, also from a new copy, until it is changed or forgotten', async () => {
  const { platform, machine, terminal: first, code, ids } = await opened();
  expect(await scanned(first, labelOf(code, 345))).toMatchObject({ kind: 'several', read: { facts: [] } });
  const chosen = { text: labelOf(code, 345), productId: ids[0] };
  expect(valueOf(await first.handlers['lookup:choose'](chosen))).toMatchObject({
    kind: 'found',
    cards: [{ productId: ids[0], coupon: { status: expect.any(String) as string } }],
    read: { chosenAt: expect.any(Number) as number, facts: [{ kind: 'item', text: code }, { amount: 3.45 }] },
  });
  await first.close();

  for (const file of readdirSync(machine.store).filter((name) => name.startsWith('catalogue'))) {
    rmSync(join(machine.store, file));
  }
  const second = await machine.start();
  await copied(second);
  expect(await scanned(second, labelOf(code, 1299))).toMatchObject({
    kind: 'found',
    cards: [{ productId: ids[0] }],
    read: { chosenAt: expect.any(Number) as number, facts: [{ kind: 'item', text: code }, { amount: 12.99 }] },
  });
  const all = await second.handlers['lookup:find']({ text: labelOf(code, 1299), source: 'scan', isChoosing: true });
  expect(valueOf(all).kind).toBe('several');
  valueOf(await second.handlers['lookup:choose']({ text: labelOf(code, 1299), productId: ids[1] }));
  expect(await scanned(second, labelOf(code, 7))).toMatchObject({ kind: 'found', cards: [{ productId: ids[1] }] });
  expect(await second.handlers['lookup:choose']({ text: labelOf(code, 7), productId: '999999' as Id })).toEqual(
    fail({ kind: 'notFoundHere' }),
  );

  const [kept, ...others] = valueOf(await second.handlers['labelChoice:list']({}));
  expect(others).toEqual([]);
  expect(kept).toMatchObject({
    layout: layouts[1],
    item: code.slice(1),
    productId: ids[1],
    name: expect.any(String) as string,
    email: platform.email,
  });
  valueOf(await second.handlers['labelChoice:forget']({ layout: layouts[1] ?? '', item: code.slice(1) }));
  expect(await scanned(second, labelOf(code, 7))).toMatchObject({ kind: 'several' });
});

test('at a locked till what was chosen still answers, and a choice is for once', async () => {
  const { terminal, code, ids } = await opened();
  const text = labelOf(code, 345);
  valueOf(await terminal.handlers['lookup:choose']({ text, productId: ids[0] }));
  valueOf(await terminal.handlers['cashier:setPin']({ pin: '2468' }));
  valueOf(await terminal.handlers['cashier:lock']({}));
  expect(await scanned(terminal, text)).toMatchObject({ kind: 'found', cards: [{ productId: ids[0] }] });
  const once = valueOf(await terminal.handlers['lookup:choose']({ text, productId: ids[1] }));
  expect(once).toMatchObject({ kind: 'found', cards: [{ productId: ids[1] }] });
  expect(once.kind === 'found' && once.read).not.toHaveProperty('chosenAt');
  expect(await scanned(terminal, text)).toMatchObject({ kind: 'found', cards: [{ productId: ids[0] }] });
});

test('without a sign-in a product can be chosen with what the label says, and nothing is learnt', async () => {
  const { platform, terminal, code, ids } = await opened();
  valueOf(await terminal.handlers['session:signOut']({}));
  const text = labelOf(code, 345);
  const chosen = valueOf(await terminal.handlers['lookup:choose']({ text, productId: ids[0] }));
  expect(chosen).toMatchObject({ kind: 'found', read: { facts: [{ kind: 'item' }, { amount: 3.45 }] } });
  expect(chosen.kind === 'found' && chosen.read).not.toHaveProperty('chosenAt');
  expect(await scanned(terminal, text)).toMatchObject({ kind: 'several' });
  const needed = fail({ kind: 'signInNeeded' });
  expect(await terminal.handlers['labelChoice:list']({})).toEqual(needed);
  expect(await terminal.handlers['labelChoice:forget']({ layout: layouts[0] ?? '', item: code })).toEqual(needed);
  await signIn(terminal, platform);
  expect(valueOf(await terminal.handlers['labelChoice:list']({}))).toEqual([]);
});
