// The draws that several calls share.
import type { Id } from '../../../app/domain/int64.ts';
import type { UserAccount } from '../referee-tokens.ts';
import type { Shop } from '../cashier-world.ts';
import type { CallWorld } from './call-row.ts';

/** The company that is open; the first one where none of the platform's is. */
export function shopOf({ state, shops }: CallWorld): Shop {
  return shops.find(({ profile }) => profile.companyId === state.profile?.companyId) ?? shops[0];
}

/** A stock of the open profile, or one that the terminal does not have. */
export function someStock({ state, random }: CallWorld): Id {
  return random.chance(0.06) ? ('4444' as Id) : (state.profile?.stockIds[0] ?? ('1' as Id));
}

/** A product of the open stock, or one that nobody has. */
export function someProduct(world: CallWorld): Id {
  const { random } = world;
  const { productIds } = shopOf(world).stock;
  // Mostly the same few, so that what one call keeps another finds.
  const few = random.chance(0.5) ? productIds.slice(0, 2) : productIds;
  return (random.chance(0.05) ? '999999999' : random.pick(few)) as Id;
}

/** The products that whoever is signed in may switch here without being in another's way; none while nobody is. */
export function ownProducts(world: CallWorld): readonly Id[] {
  const { state } = world;
  const isPractice = state.mode === 'practice';
  const email = state.session.email ?? world.users[0]?.email ?? '';
  return isPractice
    ? shopOf(world).stock.productIds.map((id) => id as Id)
    : ((shopOf(world).products.get(email) ?? []) as readonly Id[]);
}

/** One that was met before, or one that is no more. */
export function known<Value>({ random }: CallWorld, values: readonly Value[], gone: Value): Value {
  return values.length === 0 || random.chance(0.1) ? gone : random.pick(values);
}

/** A few of them, in their order. */
export function some<Value>({ random }: CallWorld, values: readonly Value[], atMost: number): Value[] {
  const from = random.integer(0, Math.max(0, values.length - 1));
  return values.slice(from, from + random.integer(1, atMost));
}

/** A text that a scanner, or a finger, may bring. */
export function someText(world: CallWorld): string {
  const { random } = world;
  const { stock } = shopOf(world);
  const barcode = (): string => stock.barcodeOf(random.pick(stock.productIds));
  const texts: (() => string)[] = [
    barcode,
    barcode,
    barcode,
    () => random.pick(stock.barcodes()),
    () => barcode().slice(1, 7),
    () => random.pick(stock.productIds),
    () => `010${barcode()}17310106`,
    () => random.pick(['pro', 'product 1', 'a', 'Prodcut', '7891234567895', '78912345678', '2001230012345', '', ']E0']),
    () => `https://id.example.com/01/0${barcode()}`,
    () => '\u0001\uFFFD12',
  ];
  return random.pick(texts)();
}

export function someUser({ random, users }: CallWorld): UserAccount {
  return random.pick(users);
}

export function somePage(world: CallWorld): { readonly offset: number; readonly limit: number } {
  return { offset: world.random.pick([0, 0, 0, 5, 1000]), limit: world.random.pick([1, 20, 200]) };
}

/** Whoever is signed in, at which company, by the state of the moment. */
export function whoOf({ state }: Pick<CallWorld, 'state'>): { readonly email: string; readonly companyId: string } {
  return { email: state.session.email ?? '', companyId: state.profile?.companyId ?? '' };
}

/** Whether what is done now is done at the platform's own store, and is to be judged. */
export function isReal({ state }: Pick<CallWorld, 'state'>): boolean {
  return state.mode !== 'practice' && !state.station.isOn;
}
