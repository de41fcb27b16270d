// Which input a validation of the platform's belongs to (API v3 §2 "Error body": `meta` with `field` and
// `validations`), and its words as they came.
import type { Failure } from '../../app/domain/failure.ts';

export type FieldProblem = NonNullable<Failure['fields']>[number];

/** "data.0.client_id" and "ClientId" name the same input as "client_id". */
function plainName(field: string): string {
  const last = field.split(/[.[\]]+/).findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? field;
  return last.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** A validation's type with its values, such as "min 8", as they came; the field's name when it has none. */
export function wordsOf({ field, validations }: FieldProblem): string {
  return validations.map(({ type, values }) => [type, ...values].join(' ')).join(', ') || field;
}

/** The platform's problem with the input that it knows under one of these names; null when there is none. */
export function problemAt(failure: Failure | null, names: readonly string[]): string | null {
  const wanted = new Set(names.map(plainName));
  const found = (failure?.fields ?? []).filter(({ field }) => wanted.has(plainName(field)));
  return found.length === 0 ? null : found.map(wordsOf).join('; ');
}

/** The failure without what is shown at the inputs of these names. */
export function withoutProblemsAt(failure: Failure, names: readonly string[]): Failure {
  const placed = new Set(names.map(plainName));
  const { fields, ...rest } = failure;
  const others = (fields ?? []).filter(({ field }) => !placed.has(plainName(field)));
  return others.length === 0 ? rest : { ...rest, fields: others };
}

/**
 * Whether the platform refuses the number of a product, which once came from there. The rule's name, such as "exists", is
 * not shown by API v3.
 */
export function refusesProduct(failure: Failure | null): boolean {
  return failure?.kind === 'unprocessable' && problemAt(failure, ['product_id']) !== null;
}
