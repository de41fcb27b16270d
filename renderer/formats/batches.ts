import type { TFunction } from 'i18next';
import type { BatchFact, ProductBatch, ProductBatches } from '../../app/contract/batches.ts';
import type { Language } from '../../app/contract/basics.ts';
import { maxBatches } from '../../app/contract/limits/batches.ts';
import { daysUntil } from '../../app/domain/date-time.ts';
import { byLanguage } from './by-language.ts';
import { formatNumber } from './numbers.ts';

/**
 * Fields that many platforms have, by the last part of their name; all others keep the name that the platform gave
 * them.
 */
const knownFields = {
  id: ['id'],
  code: ['code', 'codigo', 'number', 'numero'],
  lot: ['lot', 'lote', 'lot_number', 'lot_code', 'batch', 'batch_number', 'batch_code'],
  quantity: ['quantity', 'quantidade', 'amount', 'saldo', 'balance'],
  initial: ['initial_quantity', 'original_quantity', 'quantidade_inicial'],
  remaining: ['remaining', 'remaining_quantity', 'available', 'quantidade_restante'],
  cost: ['cost', 'unit_cost', 'cost_price', 'custo', 'custo_unitario', 'preco_custo'],
  price: ['price', 'unit_price', 'preco', 'preco_unitario'],
  made: [
    'manufactured_at',
    'manufacture_date',
    'manufacturing_date',
    'production_date',
    'fabricado_em',
    'data_fabricacao',
    'fabricacao',
  ],
  entered: ['entry_date', 'entered_at', 'received_at', 'data_entrada', 'entrada'],
  expires: [
    'expires_at',
    'expires_on',
    'expiration_date',
    'expiration',
    'expiry_date',
    'expiry',
    'validade',
    'data_validade',
    'vencimento',
  ],
  created: ['created_at', 'criado_em', 'data_criacao'],
  updated: ['updated_at', 'atualizado_em', 'data_atualizacao'],
  supplier: ['supplier', 'supplier_name', 'fornecedor'],
  note: ['note', 'notes', 'observation', 'observacao', 'description', 'descricao'],
} as const;
export type KnownField = keyof typeof knownFields;

const fieldOfName: ReadonlyMap<string, KnownField> = new Map(
  Object.entries(knownFields).flatMap(([field, names]) => names.map((name) => [name, field as KnownField] as const)),
);

/**
 * The name of a field in every language; null for one that is shown by the platform's own name. Of a nested one only
 * the whole name counts.
 */
export function knownField(name: string): KnownField | null {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return fieldOfName.get(plain) ?? null;
}

/** The mark of a batch without a lot: its code, or else its id; null when it has neither. */
export function markOf({ facts }: ProductBatch): BatchFact | null {
  return (
    (['code', 'id'] as const).flatMap((field) => facts.find(({ name }) => knownField(name) === field) ?? [])[0] ?? null
  );
}

/** From this many days before its expiry on a batch is marked. */
export const nearDays = 30;

const days = byLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }));
const moments = byLanguage(
  (language) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC', hourCycle: 'h23' }),
);

/** A number with such a name counts nothing: its digits are written as they are. */
const nameOfCode = /(^|[._])(id|code|codigo|number|numero|lot|lote|batch)$/i;

/** The store's own calendar day "YYYY-MM-DD", such as "31 Jan 2026". */
export function formatDay(day: string, language: Language): string {
  return days(language).format(Date.parse(`${day}T00:00:00Z`));
}

/** A field's value in the user's form; a date and time is the store's own, whatever this machine's time zone. */
export function formatBatchFact(fact: BatchFact, language: Language): string {
  if (fact.kind === 'date') {
    return fact.value.length === 10
      ? formatDay(fact.value, language)
      : moments(language).format(Date.parse(`${fact.value}Z`));
  }
  const isCounted = fact.kind === 'number' && !nameOfCode.test(fact.name);
  return isCounted ? formatNumber(fact.value, language) : String(fact.value);
}

/** How near an expiry is by this machine's calendar: `today` still counts as good. */
export interface Nearness {
  readonly kind: 'expired' | 'today' | 'near' | 'later';
  /** Days still, or since. */
  readonly days: number;
}

/** Reads a day "YYYY-MM-DD" against the present. */
export function nearnessOf(day: string, nowMs: number): Nearness {
  const left = daysUntil(day, nowMs, -new Date(nowMs).getTimezoneOffset());
  if (left <= 0) {
    return { kind: left < 0 ? 'expired' : 'today', days: Math.abs(left) };
  }
  return { kind: left <= nearDays ? 'near' : 'later', days: left };
}

/** The fields that are not described already as the expiry, the quantity or the lot. */
export function otherFacts({ facts, expiresOn, quantity, lot }: ProductBatch): readonly BatchFact[] {
  const described = new Set([expiresOn?.name, quantity?.name, lot?.name]);
  return facts.filter((fact) => !described.has(fact.name));
}

export interface NearBatch {
  readonly day: string;
  /** What is left, as far as the platform tells; null when it does not. */
  readonly quantity: number | null;
  readonly lot: string | null;
}

/** The batches that have expired or soon will, of which something may be left; the first to expire first. */
export function batchesNear({ batches }: Pick<ProductBatches, 'batches'>, nowMs: number): readonly NearBatch[] {
  return batches
    .flatMap(({ expiresOn, quantity, lot }) => {
      const amount = quantity?.amount ?? null;
      return expiresOn === null || nearnessOf(expiresOn.day, nowMs).kind === 'later' || (amount !== null && amount <= 0)
        ? []
        : [{ day: expiresOn.day, quantity: amount, lot: lot?.text ?? null }];
    })
    .toSorted((one, other) => one.day.localeCompare(other.day));
}

/** In words, how many of the platform's batches could not be read; null where none is known to be so. */
export function unreadBatches({ batches, total }: ProductBatches, t: TFunction, language: Language): string | null {
  // mutant: batches that cannot be read are said not to be there
  const unread = total - batches.length;
  if (unread <= 0 || total > maxBatches) {
    return null;
  }
  const write = (count: number): string => formatNumber(count, language);
  return t('lookup.details.unread', { shown: write(batches.length), total: write(total), unread: write(unread) });
}
