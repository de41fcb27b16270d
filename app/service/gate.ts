import { parseId } from '../domain/int64.ts';
import { problem, refuse, refuseFields, refuseNotFound, refuseUnauthorized, type PlatformAnswer } from './answers.ts';
import type { Readings } from './readings.ts';
import type { Operation, routeOf } from './routes.ts';
import type { Caller } from './tokens.ts';
import type { Accounts, Company } from './ports.ts';

/** 401 for whoever is not signed in, at every known path but those of /oauth; null to let the request in. */
export function refuseAtGate(
  caller: Caller | null,
  path: string,
  route: ReturnType<typeof routeOf>,
): PlatformAnswer | null {
  // API v3 §5 rule 4.
  const isOpen = route === 'unknown' || path.startsWith('/oauth/');
  return isOpen || caller?.isCurrent === true ? null : refuseUnauthorized();
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
function refuseNamed(reading: Readings['couponsOfCompany']): PlatformAnswer | null {
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
  accounts: Accounts,
  header: string | undefined,
  operation: Operation,
  readings: Readings,
): Company | PlatformAnswer {
  const isListing = operation === 'listCoupons';
  const absent = isListing ? readings.couponsWithoutCompany : 'missing_headers';
  if (header === undefined && absent !== 'first') {
    return absent === 'forbidden' ? forbidden() : refuseMissing(['Service-Company-Id']);
  }
  const refusal = isListing && header !== undefined ? refuseNamed(readings.couponsOfCompany) : null;
  if (refusal !== null) {
    return refusal;
  }
  const isHeeded = !isListing || readings.couponsOfCompany !== 'first';
  const id = parseId((isHeeded ? header : undefined) ?? accounts.companies()[0].id);
  if (id === null) {
    return refuseFields([problem('Service-Company-Id', 'integer')]);
  }
  const company = accounts.companies().find((candidate) => candidate.id === id);
  return company?.isPermitted === true ? company : forbidden();
}
