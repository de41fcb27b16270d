import type { ScanCounted, Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';

/** The counts that a test wants to find when the page opens. */
export interface StocktakeScene {
  readonly stocktakes?: readonly Stocktake[];
  /** Of each of them. */
  readonly lines?: readonly StocktakeLine[];
  readonly nowMs: number;
}

/** Answers the calls of one part; undefined for all others. */
export type FakeAnswers = (channel: string, input: Readonly<Record<string, unknown>>) => unknown;

/** Puts `window.fakeStocktakes` into the page, for the fake bridge. */
export function installFakeStocktakes(scene: StocktakeScene): void {
  const minute = 60_000;
  const { nowMs } = scene;
  type Kept = { facts: Stocktake; lines: StocktakeLine[]; before: StocktakeLine[][] };
  const productOf = (
    number: string,
    name: string,
    unit: string,
    figure: number | null,
  ): Pick<StocktakeLine, 'productId' | 'code' | 'name' | 'unit' | 'figure' | 'figureAsOf' | 'miss'> => ({
    productId: number as NonNullable<StocktakeLine['productId']>,
    code: `A-${number}`,
    name,
    unit,
    figure,
    figureAsOf: figure === null ? null : nowMs - 23 * minute,
    miss: null,
  });
  const products = [
    productOf('101', 'Café torrado e moído Serra Clara 500 g', 'PACOTE', 148),
    productOf('102', 'Queijo minas frescal', 'KG', 3.475),
    productOf('103', 'Camiseta básica de algodão', 'UNID', 24),
    productOf('106', 'Açaí com guaraná 200 ml', 'POTE', null),
  ];
  const states = ['different', 'noFigure', 'unknownCode', 'notCounted', 'same'] as const;
  const factsOf = ({ facts, lines }: Kept): Stocktake => ({
    ...facts,
    lines: Object.fromEntries(
      states.map((state) => [state, lines.filter((line) => line.state === state).length]),
    ) as Stocktake['lines'],
  });
  let kept: Kept[] = (scene.stocktakes ?? []).map((facts) => ({ facts, lines: [...(scene.lines ?? [])], before: [] }));
  let newestId = 1_000;

  function stateOf({ productId, figure }: Pick<StocktakeLine, 'productId' | 'figure'>, quantity: number) {
    if (productId === null) {
      return 'unknownCode';
    }
    if (figure === null) {
      return 'noFigure';
    }
    return quantity === figure ? 'same' : 'different';
  }

  /** Puts the line first, as counted now. */
  function put(one: Kept, line: StocktakeLine, quantity: number | null): StocktakeLine {
    one.before.push(one.lines);
    const others = one.lines.filter(({ id }) => id !== line.id);
    const next = { ...line, quantity, countedAt: nowMs, countedBy: 'ana@example.com' };
    one.lines = quantity === null ? others : [{ ...next, state: stateOf(line, quantity) }, ...others];
    return one.lines[0]?.id === line.id ? one.lines[0] : { ...next, state: 'notCounted' };
  }

  function count(one: Kept, text: string): ScanCounted {
    const product = products.find(
      ({ productId, code }) => code === text || `78900000${productId?.padStart(5, '0')}` === text,
    );
    const subject = product ?? {
      ...productOf('0', '', '', null),
      productId: null,
      code: text,
      name: null,
      unit: null,
      miss: 'unknown',
    };
    const known = one.lines.find(({ productId, code }) => productId === subject.productId && code === subject.code);
    newestId += 1;
    const line: StocktakeLine = known ?? {
      ...(subject as typeof subject & Pick<StocktakeLine, 'miss' | 'productId'>),
      id: newestId,
      quantity: null,
      hasFigureMoved: false,
      state: 'notCounted',
      countedAt: null,
      countedBy: null,
    };
    const counted = put(one, line, (line.quantity ?? 0) + 1);
    return { kind: 'counted', line: counted, stocktake: factsOf(one), doubt: line.unit === 'KG' ? 'weight' : null };
  }

  const ok = (value: unknown) => ({ ok: true, value });
  const no = (kind: string) => ({ ok: false, failure: { kind } });
  const answer: FakeAnswers = (channel, input) => {
    const one = kept.find(({ facts }) => facts.id === input['stocktakeId']);
    const [offset, limit] = [Number(input['offset']), Number(input['limit'])];
    if (channel === 'stocktake:list') {
      return ok({ total: kept.length, rows: kept.slice(offset, offset + limit).map(factsOf) });
    }
    if (channel === 'stocktake:start') {
      newestId += 1;
      const facts = {
        id: newestId,
        name: input['name'],
        stockId: input['stockId'],
        stockName: 'Loja',
        filter: input['filter'],
        startedAt: nowMs,
        startedBy: 'ana@example.com',
        closedAt: null,
      } as Stocktake;
      kept = [{ facts, lines: [], before: [] }, ...kept];
      return ok(factsOf(kept[0] as Kept));
    }
    if (one === undefined) {
      return channel.startsWith('stocktake:') ? no('notFoundHere') : undefined;
    }
    const text = String(input['text']);
    switch (channel) {
      case 'stocktake:read':
        return ok(factsOf(one));
      case 'stocktake:listLines': {
        const rows = one.lines.filter(({ state }) => input['state'] === null || state === input['state']);
        return ok({ total: rows.length, rows: rows.slice(offset, offset + limit) });
      }
      case 'stocktake:export':
        return ok({ rows: one.lines, next: null });
      case 'stocktake:scan': {
        const fitting = products.filter(({ name }) => name?.toLowerCase().includes(text.toLowerCase()));
        if (input['source'] === 'scan' || /^\S*\d\S*$/.test(text) || fitting.length === 1) {
          return ok(count(one, fitting.length === 1 ? (fitting[0]?.code ?? '') : text));
        }
        const hits = fitting.map(({ productId, name, code, unit }) => ({
          productId,
          name,
          code,
          unit,
          stockId: '11',
          stockName: 'Loja',
          balance: { amount: null, asOf: null, source: null },
        }));
        return ok(hits.length === 0 ? { kind: 'none', text } : { kind: 'several', text, hits });
      }
      case 'stocktake:add':
        return ok(count(one, `A-${String(input['productId'])}`));
      case 'stocktake:setQuantity': {
        const line = one.lines.find(({ id }) => id === input['lineId']);
        return line === undefined
          ? no('notFoundHere')
          : ok({ line: put(one, line, input['quantity'] as number | null), stocktake: factsOf(one) });
      }
      case 'stocktake:undo': {
        const [newest] = one.lines;
        one.lines = one.before.pop() ?? one.lines;
        const line = one.lines.find(({ id }) => id === newest?.id);
        const gone = newest === undefined ? null : { ...newest, quantity: null, state: 'notCounted' };
        return ok({ line: line ?? gone, stocktake: factsOf(one) });
      }
      case 'stocktake:setClosed':
        one.facts = { ...one.facts, closedAt: input['isClosed'] === true ? nowMs : null };
        return ok(factsOf(one));
      case 'stocktake:delete':
        kept = kept.filter((other) => other !== one);
        return ok(factsOf(one));
      default:
        return undefined;
    }
  };
  Object.assign(window, { fakeStocktakes: answer });
}
