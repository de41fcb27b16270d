// The two operations on consumption-coupon settings (API v3 §4.6, §4.7).
import { parseId, type Id } from '../domain/int64.ts';
import {
  answerJson,
  answerNothing,
  objectIn,
  problem,
  refuse,
  refuseFields,
  type ErrorCode,
  type PlatformAnswer,
  type Problem,
} from './answers.ts';
import { changeNothing, type Outcome } from './idempotency.ts';
import type { Company, CouponCause, Coupons, CouponSetting, Shop } from './ports.ts';
import type { Query } from './query.ts';
import type { Readings } from './readings.ts';

/** Of all items that a till sends at once each may have two; an answer of megabytes would be kept under its key. */
const maxProblems = 200;

function readRefusal(refusal: Readings['couponsOffRefusal']): [status: number, code: ErrorCode] {
  const [status = '', code = ''] = refusal.split(':');
  return [Number(status), code as ErrorCode];
}

/** API v3 §4.6. */
export async function listCoupons(
  coupons: Coupons,
  company: Company,
  query: Query,
  readings: Readings,
): Promise<PlatformAnswer> {
  const productId = query.id('product_id');
  const isEnabled = query.isTrue('is_enabled');
  const refusal = query.refusal(readings);
  if (refusal !== null) {
    return refusal;
  }
  const settings = await coupons.list(company.id, productId);
  const items = settings
    .filter((setting) => isEnabled === null || setting.isEnabled === isEnabled)
    .map((setting) => ({
      product_id: BigInt(setting.productId),
      is_enabled: setting.isEnabled,
      ...(readings.elementShape === 'flat' ? { product_name: setting.productName } : {}),
    }));
  return answerJson(200, { items });
}

/** The product id of an item, where it is one. */
function idOf(item: unknown): Id | null {
  const given = typeof item === 'object' && item !== null && 'product_id' in item ? item.product_id : null;
  return typeof given === 'string' ? null : parseId(given);
}

/** The setting of an item; null, and its problems noted, for one that is refused. */
function readItem(
  item: unknown,
  field: string,
  known: ReadonlySet<bigint>,
  { itemValues }: Readings,
  problems: Problem[],
): CouponSetting | null {
  if (typeof item !== 'object' || item === null) {
    problems.push(problem(field, 'object'));
    return null;
  }
  const { product_id: given, is_enabled: isEnabled }: Readonly<Record<string, unknown>> = { ...item };
  const before = problems.length;
  const productId = idOf(item);
  if (productId === null) {
    problems.push(problem(`${field}.product_id`, given === undefined ? 'required' : 'integer'));
  } else if (!known.has(BigInt(productId))) {
    problems.push(problem(`${field}.product_id`, 'exists', itemValues === 'product' ? [BigInt(productId)] : []));
  }
  if (typeof isEnabled !== 'boolean') {
    problems.push(problem(`${field}.is_enabled`, isEnabled === undefined ? 'required' : 'boolean'));
  }
  return productId === null || typeof isEnabled !== 'boolean' || problems.length > before
    ? null
    : { productId, isEnabled };
}

/** API v3 §4.7. */
export async function updateCoupons(
  { source, coupons }: Pick<Shop, 'source' | 'coupons'>,
  company: Company,
  body: string | null,
  cause: CouponCause,
  readings: Readings,
): Promise<Outcome> {
  const document = objectIn(body ?? '');
  if (document === null) {
    return changeNothing(refuse(400, 'bad_request', 'O corpo da requisição não é um JSON válido.'));
  }
  if (!company.hasCoupons) {
    const message = 'A empresa não tem o cupom de consumo de produtos habilitado nas configurações do ERP.';
    return changeNothing(refuse(...readRefusal(readings.couponsOffRefusal), message));
  }
  const { items } = document;
  if (!Array.isArray(items) || (items.length === 0 && readings.emptyItems === 'refused')) {
    const type = items === undefined || Array.isArray(items) ? 'required' : 'array';
    return changeNothing(refuseFields([problem('items', type)]));
  }
  const ids = items.map(idOf).filter((id) => id !== null);
  const known = await source.findKnown(new Set(ids.map(BigInt)));
  const problems: Problem[] = [];
  const settings = items.map((item: unknown, place) =>
    readItem(item, `items.${place + readings.itemsFrom}`, known, readings, problems),
  );
  const isApplied = problems.length === 0 || readings.partialUpdates === 'goodOnes';
  const good = isApplied ? settings.filter((setting) => setting !== null) : [];
  return {
    answer: problems.length > 0 ? refuseFields(problems.slice(0, maxProblems)) : answerNothing(),
    effect: coupons.change(company.id, good, cause),
  };
}
