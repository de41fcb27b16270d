import type { ConnectionReport } from '../../app/contract/connection.ts';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';
import { maxPlatformAddressLength, readPlatformAddress } from '../../app/domain/platform-address.ts';
import { problemAt } from '../formats/field-problems.ts';

export interface ConnectFields {
  readonly platformUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly companyId: string;
  readonly stockIds: string;
}

export type ConnectField = keyof ConnectFields;
const fieldOfStep: Readonly<Record<ConnectionReport['steps'][number]['step'], ConnectField>> = {
  address: 'platformUrl',
  tls: 'platformUrl',
  client: 'clientSecret',
  user: 'clientSecret',
  company: 'companyId',
  stock: 'stockIds',
};

/** The field to be corrected after this trial, or this failure in place of one; null where neither names any. */
export function fieldRefused(report: ConnectionReport | null, failure: Failure | null = null): ConnectField | null {
  const failed = report?.steps.find(({ outcome }) => outcome === 'failed');
  const why = failed?.failure ?? failure;
  if (problemAt(why, ['client_id']) !== null) {
    return 'clientId';
  }
  if (failed !== undefined) {
    return fieldOfStep[failed.step];
  }
  // What answered there is no platform.
  return why?.kind === 'notFound' || why?.kind === 'refused' ? 'platformUrl' : null;
}

export type FieldReason = 'missing' | 'notAnAddress' | 'hasUser' | 'notSecure' | 'notANumber' | 'tooMany' | 'tooLong';

export type ConnectCheck =
  | { readonly ok: true; readonly input: InvokeInput<'profile:connect'> }
  | { readonly ok: false; readonly reasons: Readonly<Partial<Record<ConnectField, FieldReason>>> };

const maxStocks = 50;
/** As the contract takes them. */
const longest = { platformUrl: maxPlatformAddressLength, clientId: 500, clientSecret: 1000 };

function addressReason(text: string): FieldReason | null {
  if (text === '') {
    return 'missing';
  }
  const read = readPlatformAddress(text);
  if (read.ok) {
    return null;
  }
  const url = URL.parse(text);
  const why = url !== null && url.username + url.password !== '' ? 'hasUser' : 'notAnAddress';
  return read.failure.kind === 'addressNotSecure' ? 'notSecure' : why;
}

/** The platform numbers from 1 on. */
function readId(text: string): Id | null {
  const read = parseId(text);
  return read === '0' ? null : read;
}

function textReason(text: string, max: number): FieldReason | null {
  if (text === '') {
    return 'missing';
  }
  return text.length > max ? 'tooLong' : null;
}

function readStocks(text: string): readonly Id[] | FieldReason {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const ids = [...new Set(parts.flatMap((part) => readId(part) ?? []))];
  if (parts.length === 0) {
    return 'missing';
  }
  if (parts.some((part) => readId(part) === null)) {
    return 'notANumber';
  }
  return ids.length > maxStocks ? 'tooMany' : ids;
}

/**
 * Reads what a person typed; https is required except on this machine. The secret may be left out for the platform and
 * client that it is kept for.
 */
export function checkConnectForm(
  fields: ConnectFields,
  keptFor: Pick<ConnectFields, 'platformUrl' | 'clientId'> | null = null,
): ConnectCheck {
  const typedUrl = fields.platformUrl.trim();
  const address = readPlatformAddress(typedUrl);
  const platformUrl = address.ok ? address.value : typedUrl;
  const clientId = fields.clientId.trim();
  const companyId = fields.companyId.trim();
  const stockIds = readStocks(fields.stockIds);
  const company = readId(companyId);
  const isKept = fields.clientSecret === '' && keptFor?.clientId === clientId && keptFor.platformUrl === platformUrl;
  const found: readonly (readonly [ConnectField, FieldReason | null])[] = [
    ['platformUrl', typedUrl.length > longest.platformUrl ? 'tooLong' : addressReason(typedUrl)],
    ['clientId', textReason(clientId, longest.clientId)],
    ['clientSecret', isKept ? null : textReason(fields.clientSecret, longest.clientSecret)],
    ['companyId', textReason(companyId, Infinity) ?? (company === null ? 'notANumber' : null)],
    ['stockIds', typeof stockIds === 'string' ? stockIds : null],
  ];
  const reasons = Object.fromEntries(found.filter(([, reason]) => reason !== null)) as Partial<
    Record<ConnectField, FieldReason>
  >;
  if (Object.keys(reasons).length > 0 || company === null || typeof stockIds === 'string') {
    return { ok: false, reasons };
  }
  return {
    ok: true,
    input: {
      platformUrl,
      clientId,
      ...(isKept ? {} : { clientSecret: fields.clientSecret }),
      companyId: company,
      stockIds: [...stockIds],
    },
  };
}
