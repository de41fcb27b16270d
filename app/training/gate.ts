// Owns the checks that a request passes before any operation: sign-in, headers, company; and the refusals that a fault asks
// for. Never carries out an operation, and never counts or keeps anything.
import { parseId } from '../domain/int64.ts';
import {
  problem,
  refuse,
  refuseFields,
  refuseNotFound,
  refuseTooMany,
  refuseUnauthorized,
  type PlatformAnswer,
} from './answers.ts';
import type { Fault } from './faults.ts';
import type { Knobs } from './knobs.ts';
import { needsSignIn, type routeOf } from './routes.ts';
import type { Caller } from './tokens.ts';
import { companies, places, type Company } from './world.ts';

function isGateFault(fault: Fault | null): fault is Fault {
  return fault?.kind === 'answer' && (fault.status === 401 || fault.status === 429);
}

/** 401 for whoever is not signed in, unless the operation is open to all; null to let the request in. */
export function refuseAtGate(caller: Caller | null, fault: Fault | null, route: ReturnType<typeof routeOf>): PlatformAnswer | null {
  if (isGateFault(fault)) {
    return answerOfFault(fault);
  }
  const isOpen = typeof route === 'string' || 'allowed' in route || !needsSignIn(route.operation);
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
  return refuse(400, 'missing_headers', message, names.map((name) => problem(name, 'required')));
}

/** API v3 §1: every request carries both headers, and they name JSON. */
export function isJson(header: string | undefined): boolean {
  return header?.toLowerCase().includes('application/json') ?? false;
}

/** The company of the header, or the usual one where the header is optional and absent; else the refusal. */
export function companyOf(header: string | undefined, isNeeded: boolean, knobs: Knobs): Company | PlatformAnswer {
  if (header === undefined && isNeeded) {
    return refuseMissing(['Service-Company-Id']);
  }
  const id = parseId(header ?? places.companyId);
  if (id === null) {
    return refuseFields([problem('Service-Company-Id', 'integer')]);
  }
  const company = companies.find((candidate) => candidate.id === id);
  const isFirst = company?.id === places.companyId;
  return company?.isPermitted === true ? { ...company, hasCoupons: isFirst ? knobs.hasCoupons : company.hasCoupons } : refuse(403, 'forbidden', 'A loja não tem permissão para este recurso.');
}
