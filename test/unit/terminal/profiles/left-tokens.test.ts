// What a start removes of those who have signed out, and how long a keychain may keep it.
import { expect, test } from 'vitest';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { createProfileSignIns } from '../../../../app/terminal/profiles/sign-ins.ts';
import type { ShopsContext } from '../../../../app/terminal/workspace/shop-changes.ts';
import { makeVault } from '../../../support/ports.ts';

/** Two profiles with a token left and ten cashiers who have signed out, and which entries were to be removed. */
function openLeft(isAnswering: boolean) {
  const asked: string[] = [];
  const vault = {
    ...makeVault(),
    remove: (name: string) => {
      asked.push(name);
      return Promise.resolve(isAnswering ? succeed(undefined) : fail({ kind: 'vaultUnavailable' as const }));
    },
  };
  const cashiers = Array.from({ length: 10 }, (_, place) => ({
    vaultName: 'shop',
    email: `${String(place)}@example.com`,
    pinHash: 'made-up',
    signedInAt: null,
  }));
  const context = {
    profiles: {
      all: () => [{ vaultName: 'shop' }, { vaultName: 'other' }],
      usesVault: () => true,
      takeUnused: () => [],
      withTokenLeft: () => ['shop', 'other'],
      noteSignIn: () => undefined,
      sessionOf: () => null,
    },
    keptCashiers: { all: () => cashiers },
    ports: { vault },
  };
  return { asked, signIns: createProfileSignIns(context as unknown as ShopsContext) };
}

test('a start removes what everybody who has signed out has left', async () => {
  const { asked, signIns } = openLeft(true);
  await signIns.removeLeft();
  expect(asked).toHaveLength(12);
});

test('a start waits for one removal alone of a keychain that removes nothing', async () => {
  const { asked, signIns } = openLeft(false);
  await signIns.removeLeft();
  expect(asked).toEqual(['refresh-token shop']);
});
