import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueAnswer } from '../catalogue/lookup/answers.ts';
import type { Handlers, HandlersOf, WithOpen } from '../contract/bridge.ts';
import { isCopied } from '../contract/copied.ts';
import { everyProduct } from '../contract/every-product.ts';
import type { ScanCounted, Stocktake, StocktakeLine } from '../contract/stocktakes.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import { quantityOf } from './code-quantity.ts';
import type { Entry, Figure, Subject } from './lines.ts';
import type { StocktakeRepository } from './repository.ts';
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

/** A count's stock, as the copy has it. */
const stockOf = ({ catalogue }: Open, stockId: Id) => catalogue.state().stocks.filter((one) => one.stockId === stockId);

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

/** Adds the products that the filter fits, slice by slice; nobody sees the count before all of them are there. */
async function expectAll(
  { catalogue }: Open,
  { lines }: StocktakeRepository,
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

function createWays(withOpen: WithOpen<Open>) {
  function withRepository<Value>(
    action: (repository: StocktakeRepository, open: Open) => Result<Value, Failure> | Promise<Result<Value, Failure>>,
  ): Promise<Result<Value, Failure>> {
    return withOpen((open) => open.stocktakes.use((repository) => action(repository, open)));
  }

  /** Of a count that takes something in only if it is open. */
  function withOne<Value>(
    stocktakeId: number,
    mustBeOpen: boolean,
    action: (stocktake: Stocktake, repository: StocktakeRepository, open: Open) => Result<Value, Failure>,
  ): Promise<Result<Value, Failure>> {
    return withRepository((repository, open) => {
      const stocktake = repository.find(stocktakeId);
      return stocktake === null || (mustBeOpen && stocktake.closedAt !== null)
        ? fail({ kind: 'notFoundHere' })
        : action(stocktake, repository, open);
    });
  }

  return { withRepository, withOne };
}

type Ways = ReturnType<typeof createWays>;

const asItIs = (repository: StocktakeRepository, before: Stocktake): Stocktake => repository.find(before.id) ?? before;

/** The line of a code; null for one that is a product's, or was taken out meanwhile: it has nothing to give. */
function lineOfCode({ lines }: StocktakeRepository, stocktakeId: number, id: number | undefined): StocktakeLine | null {
  const line = id === undefined ? null : lines.find(stocktakeId, id);
  return line?.productId === null && line.quantity !== null ? line : null;
}

/** The step that the line of this text shows, if that is a scan of it. */
function scanOf({ catalogue }: Open, { lines }: StocktakeRepository, stocktakeId: number, text: string): number | null {
  const answer = catalogue.identify(text, 'scan');
  return lines.scanOf(stocktakeId, { productId: onlyProduct(answer), code: answer.text }, answer.text);
}

function createLineHandlers(
  { withOne }: Ways,
  clock: Clock,
): Pick<Handlers, `stocktake:${'scan' | 'add' | 'setQuantity' | 'undo'}`> {
  const entry = (open: Open, figure: Figure): Entry => ({ at: clock.now(), email: open.session.state().email, figure });

  function count(
    stocktake: Stocktake,
    repository: StocktakeRepository,
    open: Open,
    text: string,
    productId: Id | null,
    answer: CatalogueAnswer | null,
    instead: StocktakeLine | null = null,
  ): Result<ScanCounted, Failure> {
    const product = productId === null ? null : productIn(open, stocktake.stockId, productId);
    const { subject, figure } = product ?? {
      subject: { productId: null, code: text, miss: answer === null ? 'unknown' : missOf(answer) },
      figure: noFigure,
    };
    const read = answer === null || answer.kind === 'unreadable' ? undefined : answer.read;
    const { quantity, doubt } =
      product === null ? { quantity: 1, doubt: null } : quantityOf(read, product.subject.unit);
    const added = repository.lines.add(
      stocktake.id,
      subject,
      { ...entry(open, figure), text, quantity: instead?.quantity ?? quantity },
      instead,
    );
    return mapResult(added, (line) => ({ kind: 'counted', line, stocktake: asItIs(repository, stocktake), doubt }));
  }

  return {
    'stocktake:scan': ({ stocktakeId, text, source, instead }) =>
      withOne(stocktakeId, true, (stocktake, repository, open) => {
        const answer = open.catalogue.identify(text, source);
        // A product that is still to come may have the same code, or the copy has just been found damaged.
        if (!isCopied(stockOf(open, stocktake.stockId))) {
          return fail({ kind: 'notCopied' });
        }
        const productId = onlyProduct(answer);
        if (source === 'typed' && productId === null) {
          return succeed(
            answer.kind === 'several'
              ? { kind: 'several', text: answer.text, hits: answer.hits.slice() }
              : { kind: 'none', text: answer.text },
          );
        }
        const ofCode = productId === null ? null : lineOfCode(repository, stocktakeId, instead);
        return count(stocktake, repository, open, answer.text, productId, answer, ofCode);
      }),
    'stocktake:add': ({ stocktakeId, productId, instead }) =>
      withOne(stocktakeId, true, (stocktake, repository, open) => {
        const name = open.catalogue.nameOf(productId);
        const ofCode = lineOfCode(repository, stocktakeId, instead);
        return name === null
          ? fail({ kind: 'notFoundHere' })
          : count(stocktake, repository, open, name.code ?? name.name, productId, null, ofCode);
      }),
    'stocktake:setQuantity': ({ stocktakeId, lineId, quantity }) =>
      withOne(stocktakeId, true, (stocktake, repository, open) => {
        const line = repository.lines.find(stocktakeId, lineId);
        if (line === null) {
          return fail({ kind: 'notFoundHere' });
        }
        const { productId } = line;
        const figure =
          productId === null ? noFigure : (productIn(open, stocktake.stockId, productId)?.figure ?? noFigure);
        const set = repository.lines.set(line, { ...entry(open, figure), quantity });
        return succeed({ line: set, stocktake: asItIs(repository, stocktake) });
      }),
    'stocktake:undo': ({ stocktakeId, step }) =>
      withOne(stocktakeId, true, (stocktake, repository, open) => {
        const named = typeof step === 'string' ? scanOf(open, repository, stocktakeId, step) : step;
        const undone = repository.lines.undo(stocktakeId, named);
        return succeed({ ...undone, stocktake: asItIs(repository, stocktake) });
      }),
  };
}

/** One handler for each call about counts. */
export function createStocktakeHandlers(withOpen: WithOpen<Open>, clock: Clock): HandlersOf<'stocktake'> {
  const ways = createWays(withOpen);
  const { withRepository, withOne } = ways;
  return {
    ...createLineHandlers(ways, clock),
    'stocktake:list': ({ offset, limit }) =>
      withRepository((repository) => {
        const { total, rows } = repository.list(offset, limit);
        return succeed({ total, rows: [...rows] });
      }),
    'stocktake:start': (wanted) =>
      withRepository(async (repository, open) => {
        const stock = stockOf(open, wanted.stockId);
        if (!isCopied(stock)) {
          return fail({ kind: 'notCopied' });
        }
        const prepared = repository.prepare({
          ...wanted,
          stockName: stock[0]?.name ?? null,
          at: clock.now(),
          email: open.session.state().email,
        });
        if (!prepared.ok) {
          return prepared;
        }
        const id = prepared.value;
        const expected = wanted.filter === null ? succeed(undefined) : await expectAll(open, repository, id, wanted);
        if (!expected.ok) {
          repository.remove(id);
          open.stocktakes.forgetDeleted();
          return expected;
        }
        repository.open(id);
        const started = repository.find(id);
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
      withOne(stocktakeId, false, (stocktake, repository) => {
        if (isClosed) {
          repository.close(stocktakeId, clock.now());
        } else {
          repository.open(stocktakeId);
        }
        return succeed(asItIs(repository, stocktake));
      }),
    'stocktake:delete': ({ stocktakeId }) =>
      withOne(stocktakeId, false, (stocktake, repository, open) => {
        repository.remove(stocktakeId);
        open.stocktakes.forgetDeleted();
        return succeed(stocktake);
      }),
  };
}
