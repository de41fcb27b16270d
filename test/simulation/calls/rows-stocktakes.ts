import { lineStates } from '../../../app/contract/limits/stocktakes.ts';
import type { Stocktake } from '../../../app/contract/stocktakes.ts';
import type { CallRows, CallWorld } from './call-row.ts';
import { known, someProduct, someStock, somePage, someText } from './draws.ts';

const someCount = (world: CallWorld): number => known(world, world.memory.stocktakeIds, 987_654);
const someLine = (world: CallWorld): number => known(world, world.memory.lineIds, 987_654);

function remember({ memory }: CallWorld, { id }: Stocktake): void {
  memory.stocktakeIds = [...new Set([...memory.stocktakeIds, id])].slice(-3);
}

/** Counts of shelves. */
export const stocktakeRows = {
  'stocktake:list': { weight: 1, draw: somePage },
  'stocktake:start': {
    weight: 0.7,
    draw: (world) => ({
      name: 'Shelf',
      stockId: someStock(world),
      filter: world.random.chance(0.3) ? { term: 'pro', amount: 'positive' } : null,
    }),
    failures: ['stocktakeFull', 'inputInvalid', 'notFoundHere', 'notCopied'],
    unseen: {
      stocktakeFull: 'nobody begins five hundred counts in a shift',
      notFoundHere: 'a count that has just begun is there',
    },
    note: (world) => (answer) => {
      if (answer?.ok === true) {
        remember(world, answer.value);
      }
    },
  },
  'stocktake:read': { weight: 1, draw: (world) => ({ stocktakeId: someCount(world) }), failures: ['notFoundHere'] },
  'stocktake:export': {
    weight: 1,
    draw: (world) => ({ stocktakeId: someCount(world), after: 0 }),
    failures: ['notFoundHere'],
  },
  'stocktake:listLines': {
    weight: 1,
    draw: (world) => ({
      stocktakeId: someCount(world),
      state: world.random.chance(0.5) ? null : world.random.pick(lineStates),
      ...somePage(world),
    }),
    failures: ['notFoundHere'],
  },
  'stocktake:scan': {
    weight: 2.5,
    draw: (world) => ({
      stocktakeId: someCount(world),
      text: someText(world),
      source: world.random.pick(['scan', 'scan', 'typed'] as const),
    }),
    successes: { names: ['counted', 'several', 'none'], of: ({ kind }) => kind },
    failures: ['notFoundHere', 'notReady', 'inputInvalid', 'stocktakeFull', 'notCopied'],
    unseen: { stocktakeFull: 'nobody counts 50,000 lines in a shift', inputInvalid: 'a closed count is not ready' },
    note:
      ({ memory }, { stocktakeId }) =>
      (answer) => {
        if (answer?.ok === true && answer.value.kind === 'counted') {
          const { id, step } = answer.value.line;
          memory.lineIds = [...new Set([...memory.lineIds, id])].slice(-5);
          memory.steps = [...memory.steps, { stocktakeId, step }].slice(-5);
        }
      },
  },
  'stocktake:add': {
    weight: 1,
    draw: (world) => ({
      stocktakeId: someCount(world),
      productId: someProduct(world),
      ...(world.random.chance(0.5) ? { instead: someLine(world) } : {}),
    }),
    failures: ['notFoundHere', 'notReady', 'inputInvalid', 'stocktakeFull'],
    unseen: { stocktakeFull: 'nobody counts 50,000 lines in a shift', inputInvalid: 'a closed count is not ready' },
  },
  'stocktake:setQuantity': {
    weight: 1,
    draw: (world) => ({
      stocktakeId: someCount(world),
      lineId: someLine(world),
      quantity: world.random.pick([0, 1.5, 12, null]),
    }),
    failures: ['notFoundHere', 'notReady', 'inputInvalid'],
    unseen: { inputInvalid: 'a closed count is not ready' },
  },
  'stocktake:undo': {
    weight: 2,
    draw: (world) => {
      const step = world.random.pick([null, someText(world), 987_654]);
      return world.random.chance(0.4)
        ? { stocktakeId: someCount(world), step }
        : known(world, world.memory.steps, { stocktakeId: someCount(world), step });
    },
    successes: {
      names: ['undone', 'overtaken', 'newest'],
      of: ({ undone }, { step }) => {
        const shown = step === null ? 'newest' : 'overtaken';
        return undone === null ? shown : 'undone';
      },
    },
    failures: ['notFoundHere', 'notReady', 'inputInvalid'],
    unseen: { inputInvalid: 'a closed count is not ready' },
  },
  'stocktake:setClosed': {
    weight: 0.7,
    draw: (world) => ({ stocktakeId: someCount(world), isClosed: world.random.chance(0.4) }),
    failures: ['notFoundHere'],
  },
  'stocktake:delete': { weight: 0.4, draw: (world) => ({ stocktakeId: someCount(world) }), failures: ['notFoundHere'] },
} satisfies CallRows<'stocktake'>;
