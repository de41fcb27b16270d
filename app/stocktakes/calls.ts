import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueAnswer } from '../catalogue/lookup/answers.ts';
import type { Handlers, HandlersOf, WithOpen } from '../contract/bridge.ts';
import { everyProduct } from '../contract/every-product.ts';
import type { ScanCounted, Stocktake } from '../contract/stocktakes.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import { quantityOf } from './code-quantity.ts';
import type { Entry, Figure, Subject } from './lines.ts';
import type { StocktakeStore } from './store.ts';
import type { Stocktakes } from './stocktakes.ts';

interface Open {
  readonly catalogue: Pick<Catalogue, 'read' | 'nameOf' | 'identify' | 'exportPage' | 'state'>;
  readonly stocktakes: Stocktakes;
  readonly session: { state(): { readonly email: string | null } };
}

const noFigure: Figure = { amount: null, asOf: null };
// A scan waits no longer than for one slice.
const rowsAtOnce = 100;
const exportedAtOnce = 1_000;

/** A product as the copy has it in the count's stock; null where the copy has it in none. */
function productIn(
  { catalogue }: Open,
  stockId: Id,
  productId: Id,
): { readonly subject: Subject & { readonly productId: Id }; readonly figure: Figure } | null {
  const here = catalogue.read(stockId, productId);
  const named = here ?? catalogue.nameOf(productId);
  return named === null
    ? null
    : {
        subject: { productId, code: named.code, name: named.name, unit: here?.unit ?? null },
        figure: here === null ? noFigure : here.balance,
      };
}

/** The only product that an answer names; null for none, and for several. */
function onlyProduct(answer: CatalogueAnswer): Id | null {
  const ids = answer.kind === 'found' ? new Set(answer.cards.map(({ productId }) => productId)) : new Set<Id>();
  const [only] = ids;
  return ids.size === 1 ? (only ?? null) : null;
}

const missOf = ({ kind }: CatalogueAnswer): Extract<Subject, { productId: null }>['miss'] =>
  kind === 'found' ? 'several' : kind;

/**
 * Adds the products that the platform's filter fits, slice by slice; nobody sees the count before all of them are
 * there.
 */
async function expectAll(
  { catalogue }: Open,
  { lines }: StocktakeStore,
  id: number,
  { stockId, filter }: Pick<Stocktake, 'stockId' | 'filter'>,
): Promise<Result<void, Failure>> {
  let view: number | undefined;
  let offset = 0;
  for (;;) {
    const page = await catalogue.exportPage({
      query: { ...everyProduct, stockId, ...filter },
      ...(view === undefined ? {} : { view }),
      offset,
      limit: rowsAtOnce,
    });
    if (!page.ok) {
      return page;
    }
    if (view !== undefined && page.value.view !== view) {
      return fail({ kind: 'cancelled' });
    }
    const hits = page.value.rows.flatMap((row) => row?.hit ?? []);
    const kept = lines.expect(
      id,
      hits.map(({ productId, code, name, unit, balance }) => ({
        subject: { productId, code, name, unit },
        figure: balance,
      })),
    );
    if (!kept.ok) {
      return kept;
    }
    ({ view } = page.value);
    offset += page.value.rows.length;
    if (page.value.isWhole && offset >= page.value.found) {
      return succeed(undefined);
    }
  }
}

/** The ways to the counts of the open store. */
function createWays(withOpen: WithOpen<Open>) {
  function withStore<Value>(
    action: (store: StocktakeStore, open: Open) => Result<Value, Failure> | Promise<Result<Value, Failure>>,
  ): Promise<Result<Value, Failure>> {
    return withOpen((open) => open.stocktakes.use((store) => action(store, open)));
  }

  /** Of a count that takes something in only if it is open. */
  function withOne<Value>(
    stocktakeId: number,
    mustBeOpen: boolean,
    action: (stocktake: Stocktake, store: StocktakeStore, open: Open) => Result<Value, Failure>,
  ): Promise<Result<Value, Failure>> {
    return withStore((store, open) => {
      const stocktake = store.find(stocktakeId);
      return stocktake === null || (mustBeOpen && stocktake.closedAt !== null)
        ? fail({ kind: 'notFoundHere' })
        : action(stocktake, store, open);
    });
  }

  return { withStore, withOne };
}

type Ways = ReturnType<typeof createWays>;

const asItIs = (store: StocktakeStore, before: Stocktake): Stocktake => store.find(before.id) ?? before;

/** The calls that change the lines of a count. */
function createLineHandlers(
  { withOne }: Ways,
  clock: Clock,
): Pick<Handlers, `stocktake:${'scan' | 'add' | 'setQuantity' | 'undo'}`> {
  const entry = (open: Open, figure: Figure): Entry => ({ at: clock.now(), email: open.session.state().email, figure });

  function count(
    stocktake: Stocktake,
    store: StocktakeStore,
    open: Open,
    text: string,
    productId: Id | null,
    answer: CatalogueAnswer | null,
  ): Result<ScanCounted, Failure> {
    const product = productId === null ? null : productIn(open, stocktake.stockId, productId);
    const { subject, figure } = product ?? {
      subject: { productId: null, code: text, miss: answer === null ? 'unknown' : missOf(answer) },
      figure: noFigure,
    };
    const read = answer === null || answer.kind === 'unreadable' ? undefined : answer.read;
    const { quantity, doubt } =
      product === null ? { quantity: 1, doubt: null } : quantityOf(read, product.subject.unit);
    const added = store.lines.add(stocktake.id, subject, { ...entry(open, figure), text, quantity });
    return mapResult(added, (line) => ({ kind: 'counted', line, stocktake: asItIs(store, stocktake), doubt }));
  }

  return {
    'stocktake:scan': ({ stocktakeId, text, source }) =>
      withOne(stocktakeId, true, (stocktake, store, open) => {
        const answer = open.catalogue.identify(text, source);
        const productId = onlyProduct(answer);
        if (source === 'typed' && productId === null) {
          return succeed(
            answer.kind === 'several'
              ? { kind: 'several', text: answer.text, hits: answer.hits.slice() }
              : { kind: 'none', text: answer.text },
          );
        }
        return count(stocktake, store, open, answer.text, productId, answer);
      }),
    'stocktake:add': ({ stocktakeId, productId }) =>
      withOne(stocktakeId, true, (stocktake, store, open) => {
        const name = open.catalogue.nameOf(productId);
        return name === null
          ? fail({ kind: 'notFoundHere' })
          : count(stocktake, store, open, name.code ?? name.name, productId, null);
      }),
    'stocktake:setQuantity': ({ stocktakeId, lineId, quantity }) =>
      withOne(stocktakeId, true, (stocktake, store, open) => {
        const line = store.lines.find(stocktakeId, lineId);
        if (line === null) {
          return fail({ kind: 'notFoundHere' });
        }
        const { productId } = line;
        const figure =
          productId === null ? noFigure : (productIn(open, stocktake.stockId, productId)?.figure ?? noFigure);
        const set = store.lines.set(line, { ...entry(open, figure), quantity });
        return succeed({ line: set, stocktake: asItIs(store, stocktake) });
      }),
    'stocktake:undo': ({ stocktakeId, text }) =>
      withOne(stocktakeId, true, (stocktake, store, open) => {
        const scanned = text === null ? null : open.catalogue.identify(text, 'scan').text;
        const line = store.lines.undo(stocktakeId, scanned);
        return succeed({ line, stocktake: asItIs(store, stocktake) });
      }),
  };
}

/** One handler for each call about counts. */
export function createStocktakeHandlers(withOpen: WithOpen<Open>, clock: Clock): HandlersOf<'stocktake'> {
  const ways = createWays(withOpen);
  const { withStore, withOne } = ways;
  return {
    ...createLineHandlers(ways, clock),
    'stocktake:list': ({ offset, limit }) =>
      withStore((store) => {
        const { total, rows } = store.list(offset, limit);
        return succeed({ total, rows: [...rows] });
      }),
    'stocktake:start': (wanted) =>
      withStore(async (store, open) => {
        const { stocks } = open.catalogue.state();
        const prepared = store.prepare({
          ...wanted,
          stockName: stocks.find(({ stockId }) => stockId === wanted.stockId)?.name ?? null,
          at: clock.now(),
          email: open.session.state().email,
        });
        if (!prepared.ok) {
          return prepared;
        }
        const id = prepared.value;
        const expected = wanted.filter === null ? succeed(undefined) : await expectAll(open, store, id, wanted);
        if (!expected.ok) {
          store.remove(id);
          open.stocktakes.forgetDeleted();
          return expected;
        }
        store.open(id);
        const started = store.find(id);
        return started === null ? fail({ kind: 'notFoundHere' }) : succeed(started);
      }),
    'stocktake:read': ({ stocktakeId }) => withOne(stocktakeId, false, succeed),
    'stocktake:export': ({ stocktakeId, after }) =>
      withOne(stocktakeId, false, (_stocktake, { lines }) => {
        const found = lines.page(stocktakeId, after, exportedAtOnce + 1);
        const rows = found.slice(0, exportedAtOnce);
        return succeed({ rows, next: found.length > exportedAtOnce ? (rows.at(-1)?.id ?? null) : null });
      }),
    'stocktake:listLines': ({ stocktakeId, state, offset, limit }) =>
      withOne(stocktakeId, false, (_stocktake, { lines }) => {
        const { total, rows } = lines.list(stocktakeId, state, offset, limit);
        return succeed({ total, rows: [...rows] });
      }),
    'stocktake:setClosed': ({ stocktakeId, isClosed }) =>
      withOne(stocktakeId, false, (stocktake, store) => {
        if (isClosed) {
          store.close(stocktakeId, clock.now());
        } else {
          store.open(stocktakeId);
        }
        return succeed(asItIs(store, stocktake));
      }),
    'stocktake:delete': ({ stocktakeId }) =>
      withOne(stocktakeId, false, (stocktake, store, open) => {
        store.remove(stocktakeId);
        open.stocktakes.forgetDeleted();
        return succeed(stocktake);
      }),
  };
}
