import type { Failure } from '../../app/domain/failure.ts';

/**
 * What becomes of an update, one after another. An attempt has no answer, leaves for ever, or is refused with a failure;
 * a reading finds the setting as it was asked for, or changed by somebody else; or a person decides.
 */
export type UpdateEvent =
  | 'done'
  | 'doneBefore'
  | 'silence'
  | 'leaves'
  | Failure
  | 'holds'
  | 'conflict'
  | 'old'
  | 'retry'
  | 'discard';

/** What a person asked for, ana@example.com unless told, a little later than what is listed before it unless told. */
export type SceneUpdate = (
  | { readonly productId: string; readonly name: string; readonly isEnabled: boolean }
  | { readonly userId: string }
) & { readonly events?: readonly UpdateEvent[]; readonly email?: string; readonly ageMs?: number };

export interface QueueScene {
  /** The oldest first; `usualUpdates` unless told. Only one request of a user leaves at a time. */
  readonly updates?: readonly SceneUpdate[];
  /** What becomes of a user who is asked for on the screen; waits unless told. */
  readonly restoring?: readonly UpdateEvent[];
  /** Products with a setting, beside those of the updates; 40 unless told. */
  readonly couponRows?: number;
  /** How many more changes the queue takes; 10,000 unless told, but for what waits. */
  readonly queueRoom?: number;
  /** How long switching many can be undone, in milliseconds. */
  readonly undoForMs?: number;
}

export const [coffee, cheese, shirt] = [
  { productId: '101', name: 'Café torrado e moído Serra Clara 500 g' },
  { productId: '102', name: 'Queijo minas frescal' },
  { productId: '103', name: 'Camiseta básica de algodão' },
];
const notForCoupons = 'Company has no product consumption coupons';
/** One replaced, delivered, in conflict and refused. */
export const settledUpdates: readonly SceneUpdate[] = [
  { ...coffee, isEnabled: false },
  {
    ...coffee,
    isEnabled: true,
    events: [{ kind: 'platformFailed', status: 500, code: 'internal_server_error' }, 'silence', 'doneBefore'],
  },
  { ...shirt, isEnabled: false, events: ['conflict'] },
  {
    productId: '105',
    name: 'Água de coco 1 litro',
    isEnabled: true,
    events: [{ kind: 'forbidden', status: 403, code: 'forbidden', message: notForCoupons }],
  },
];
/** One that has left, and one that waits. */
export const waitingUpdates: readonly SceneUpdate[] = [
  { ...cheese, isEnabled: true, events: ['leaves'] },
  { productId: '104', name: 'Pão de queijo congelado tradicional 1 kg', isEnabled: true },
];
/** Nobody knows whether the first attempt restored the user. */
export const maybeRestored: readonly UpdateEvent[] = [
  { kind: 'platformFailed', status: 500 },
  'retry',
  { kind: 'notFound', status: 404, code: 'not_found' },
];
export const usualUpdates = [...settledUpdates, ...waitingUpdates];
/** One of each kind among the products with a setting. */
export const couponUpdates: readonly SceneUpdate[] = [
  {
    productId: '1004',
    name: 'Produto de exemplo 5',
    isEnabled: false,
    events: [{ kind: 'forbidden', status: 403, code: 'forbidden' }],
  },
  { productId: '1003', name: 'Produto de exemplo 4', isEnabled: false, events: ['leaves'] },
  { productId: '1002', name: 'Produto de exemplo 3', isEnabled: true },
];
