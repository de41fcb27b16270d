import { z } from 'zod';
import { broken, hasShape, hasStatus, isRefused, refusalOf, untold, type Check } from '../check.ts';
import { fieldsOf } from '../listed.ts';
import { at, companyHeader, unlikelyId, type Exchange, type Probe } from '../probe.ts';

const tokenSchema = z.object({ access_token: z.string().min(1) });
const missing = ['missing_headers', 'bad_request'];
/** A refusal of what the caller may do; §7 names the status of each case, but not of each code. */
const refusals = [400, 401, 403, 404, 422];
const scopesPath = '/oauth/scopes';

function noteBody(probe: Probe, exchange: Exchange): void {
  const { status, body } = { status: exchange.answer.status, body: exchange.answer.text };
  if (status === 401 || status === 404) {
    const other = exchange.json === undefined ? 'notJson' : 'otherJson';
    const notEmpty = typeof at(exchange.json, 'code') === 'string' ? 'errorBody' : other;
    probe.note(`4.8:body-${status}`, body === '' ? 'empty' : notEmpty);
  }
}

/** A listing as asked by who may not ask. */
async function listAs(probe: Probe, headers: Readonly<Record<string, string | null>>): Promise<Exchange> {
  const exchange = await probe.list({ per_page: '1' }, headers);
  noteBody(probe, exchange);
  return exchange;
}

async function noteTokenKeys(probe: Probe): Promise<void> {
  const key = probe.uuid();
  const [first, second] = [await probe.token({}, key), await probe.token({}, key)];
  const isSame = at(first.json, 'access_token') === at(second.json, 'access_token');
  const isEchoed = second.answer.headers['idempotency-key'] === key;
  const heeded = isEchoed ? 'echoed' : 'ignored';
  probe.note('4.1:token-keys', isSame ? 'replayed' : heeded);
  const without = await probe.token({}, null);
  probe.note('8:keys-required', without.answer.status < 300 ? 'declared' : 'everyWrite');
  probe.use(without);
}

/** Each asks for a token. */
export const signInChecks: readonly Check[] = [
  {
    id: '4.1:token',
    judge: async (probe) => {
      const exchange = probe.signIn ?? (await probe.token());
      const wrong = hasShape(exchange, tokenSchema);
      const { access_token: _token, ...others } = (exchange.json ?? {}) as Record<string, unknown>;
      probe.note('2:token-fields', fieldsOf(others) || 'none');
      probe.note('5:token-seconds', JSON.stringify(others['expires_in']) ?? 'none');
      await noteTokenKeys(probe);
      return wrong;
    },
  },
  {
    id: '2:refresh',
    judge: async (probe) => {
      const old = at(probe.signIn?.json, 'refresh_token');
      if (typeof old !== 'string' || old === '') {
        probe.note('5:refresh-tokens', 'none');
        return untold('noRefreshToken');
      }
      const fields = { grant_type: 'refresh_token', username: undefined, password: undefined, refresh_token: old };
      const exchange = await probe.token(fields);
      const fresh = at(exchange.json, 'refresh_token');
      probe.note('5:refresh-tokens', typeof fresh === 'string' && fresh !== old ? 'rotated' : 'kept');
      const wrong = hasShape(exchange, tokenSchema);
      // The token that it gave is used by all that follows, this listing first.
      return wrong ?? (probe.use(exchange) ? hasStatus(await probe.list({ per_page: '2' }), 200) : null);
    },
  },
  ...(
    [
      ['5:wrong-secret', { client_secret: 'wrong' }, [401]],
      ['5:wrong-password', { password: 'wrong' }, [401]],
      ['5:missing-credential', { client_secret: undefined }, [401, 400]],
      ['5:invalid-scope', { scope: 'no-such-scope' }, [400, 401, 403, 422]],
    ] as const
  ).map(([id, fields, statuses]): Check => ({
    id,
    judge: async (probe) => {
      const exchange = await probe.token(fields);
      noteBody(probe, exchange);
      if (statuses.length > 1) probe.note(`${id}-refusal`, refusalOf(exchange));
      return isRefused(exchange, statuses, ...('scope' in fields ? ['invalid_scope'] : []));
    },
  })),
  {
    id: '7:malformed',
    judge: async (probe) => {
      const headers = { Authorization: null, [companyHeader]: null, 'Idempotency-Key': probe.uuid() };
      const exchange = await probe.ask({ method: 'POST', path: '/oauth/token', headers, body: '{"grant_type":' });
      const scope = await probe.token({ scope: undefined });
      probe.note('2:scope-absent', scope.answer.status < 300 ? 'allScopes' : refusalOf(scope));
      return isRefused(exchange, [400], 'bad_request');
    },
  },
];

export const gateChecks: readonly Check[] = [
  {
    id: '4.2:scopes',
    judge: async (probe) => {
      const exchange = await probe.ask({ path: scopesPath, headers: { Authorization: null, [companyHeader]: null } });
      const { status } = exchange.answer;
      const { json } = exchange;
      probe.note('4.2:method', status < 300 ? 'GET' : 'notGet');
      if (status < 300) {
        const names = Array.isArray(json) ? `[${typeof json[0]}] ${fieldsOf(json[0])}` : fieldsOf(json);
        probe.note('4.2:shape', names.trim());
      }
      return status === 401 ? broken(exchange, 'status', { got: '401', expected: '200' }) : null;
    },
  },
  {
    id: '7:method',
    judge: async (probe) => {
      const exchange = await probe.ask({ path: '/oauth/token', headers: { [companyHeader]: null } });
      probe.note('7:method-refusal', refusalOf(exchange));
      return isRefused(exchange, [405, 400, 404], 'method_not_allowed');
    },
  },
  ...(
    [
      ['5:no-token', { Authorization: null }, [401], []],
      ['5:wrong-token', { Authorization: 'Bearer wrong' }, [401], []],
      ['5:no-company', { [companyHeader]: null }, refusals, missing],
      ['5:other-company', { [companyHeader]: unlikelyId }, refusals, []],
      ['2:company-number', { [companyHeader]: 'x' }, refusals, []],
    ] as const
  ).map(([id, headers, statuses, codes]): Check => ({
    id,
    judge: async (probe) => {
      const exchange = await listAs(probe, headers);
      if (statuses.length > 1) probe.note(`${id}-refusal`, refusalOf(exchange));
      return isRefused(exchange, statuses, ...codes);
    },
  })),
  ...(['Accept', 'Content-Type'] as const).map((name): Check => ({
    id: `1:no-${name.toLowerCase()}`,
    // The document says what a caller must send, and not what becomes of whoever does not.
    judge: async (probe) => {
      const exchange = await listAs(probe, { [name]: null });
      const isAccepted = exchange.answer.status < 300;
      probe.note(`1:no-${name.toLowerCase()}-refusal`, isAccepted ? 'accepted' : refusalOf(exchange));
      return isAccepted ? null : isRefused(exchange, [400, 406, 415, 422], ...missing);
    },
  })),
  ...(
    [
      ['7:unknown-path', () => '/api/v3/no-such-resource'],
      ['7:unknown-stock', () => `/api/v3/stocks/${unlikelyId}/products`],
      ['7:unknown-product', ({ target }: Probe) => `/api/v3/stocks/${target.stock}/products/${unlikelyId}/balance`],
    ] as const
  ).map(([id, path]): Check => ({
    id,
    judge: async (probe) => {
      const exchange = await probe.ask({ path: path(probe) });
      noteBody(probe, exchange);
      return isRefused(exchange, [404]);
    },
  })),
];
