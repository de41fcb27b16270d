import { parseId } from '../../domain/int64.ts';
import {
  problem,
  refuse,
  refuseFields,
  refuseNotFound,
  refuseTooMany,
  refuseUnauthorized,
  type PlatformAnswer,
} from './answers.ts';
import type { Fault } from '../options/faults.ts';
import type { Variants } from '../options/variants.ts';
import type { Operation, routeOf } from './routes.ts';
import type { Caller } from './tokens.ts';
import { companies, places, type Company } from '../data/world.ts';

function isGateFault(fault: Fault | null): fault is Fault {
  return fault?.kind === 'answer' && (fault.status === 401 || fault.status === 429);
}

/** 401 for whoever is not signed in, at every known path but those of /oauth; null to let the request in. */
export function refuseAtGate(
  caller: Caller | null,
  fault: Fault | null,
  path: string,
  route: ReturnType<typeof routeOf>,
): PlatformAnswer | null {
  if (isGateFault(fault)) {
    return answerOfFault(fault);
  }
  // API v3 §5 rule 4.
  const isOpen = route === 'unknown' || path.startsWith('/oauth/');
  return isOpen || caller?.isCurrent === true ? null : refuseUnauthorized();
}

/** The refusal that the fault names. */
export function answerOfFault(fault: Fault): PlatformAnswer {
  const { code, field } = fault;
  if (code !== undefined || field !== undefined) {
    const named = field === undefined ? [] : [problem(field, 'simulated')];
    return refuse(fault.status ?? 500, code ?? 'unprocessable_entity', 'Falha simulada.', named);
  }
  switch (fault.status ?? 500) {
    case 400:
      return refuse(400, 'bad_request', 'Falha simulada: requisição inválida.');
    case 401:
      return refuseUnauthorized('Falha simulada: autenticação expirada.');
    case 403:
      return refuse(403, 'forbidden', 'Falha simulada: sem permissão.');
    case 404:
      return refuseNotFound();
    case 422:
      return refuse(422, 'unprocessable_entity', 'Falha simulada: dados inválidos.');
    case 429:
      return refuseTooMany(fault.retryAfterSeconds ?? 5);
    default:
      return refuse(fault.status ?? 500, 'internal_server_error', 'Falha simulada: erro interno da plataforma.');
  }
}

/** 400 with the headers that are absent or of another kind (API v3 §1, §7). */
export function refuseMissing(names: readonly string[]): PlatformAnswer {
  const message = `Cabeçalhos obrigatórios ausentes: ${names.join(', ')}.`;
  return refuse(
    400,
    'missing_headers',
    message,
    names.map((name) => problem(name, 'required')),
  );
}

/** API v3 §1: every request carries both headers, and they name JSON. */
export function isJson(header: string | undefined): boolean {
  return header?.split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === 'application/json') ?? false;
}

const forbidden = (): PlatformAnswer => refuse(403, 'forbidden', 'A loja não tem permissão para este recurso.');

/** How the list of coupon settings is refused to whoever names a company; null where it is not. */
function refuseNamed(reading: Variants['couponsOfCompany']): PlatformAnswer | null {
  const message = 'O cabeçalho Service-Company-Id não é aceito neste recurso.';
  switch (reading) {
    case 'bad_request':
      return refuse(400, reading, message);
    case 'unprocessable_entity':
      return refuse(422, reading, message, [problem('Service-Company-Id', 'unknown')]);
    case 'forbidden':
      return forbidden();
    case 'not_found':
      return refuseNotFound();
    case 'own':
    case 'first':
      return null;
  }
}

/** The company of the header, or the first one where the header may be absent or is not heeded; else the refusal. */
export function companyOf(
  header: string | undefined,
  operation: Operation,
  variants: Variants,
): Company | PlatformAnswer {
  const isListing = operation === 'listCoupons';
  const absent = isListing ? variants.couponsWithoutCompany : 'missing_headers';
  if (header === undefined && absent !== 'first') {
    return absent === 'forbidden' ? forbidden() : refuseMissing(['Service-Company-Id']);
  }
  const refusal = isListing && header !== undefined ? refuseNamed(variants.couponsOfCompany) : null;
  if (refusal !== null) {
    return refusal;
  }
  const isHeeded = !isListing || variants.couponsOfCompany !== 'first';
  const id = parseId((isHeeded ? header : undefined) ?? places.companyId);
  if (id === null) {
    return refuseFields([problem('Service-Company-Id', 'integer')]);
  }
  const company = companies.find((candidate) => candidate.id === id);
  return company?.isPermitted === true ? company : forbidden();
}
