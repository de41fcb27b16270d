import { describe, expect, it } from 'vitest';
import { checkConnectForm, type ConnectFields } from '../../../../renderer/sign-in/connect-form-check.ts';

const right: ConnectFields = {
  platformUrl: ' https://shop.example.com/ ',
  clientId: ' counter ',
  clientSecret: ' s ',
  companyId: ' 4821 ',
  stockIds: '11, 12;11 13',
};

describe('the connection form', () => {
  it('trims all but the secret, and drops a slash at the end and doubled stocks', () => {
    expect(checkConnectForm(right)).toEqual({
      ok: true,
      input: {
        platformUrl: 'https://shop.example.com',
        clientId: 'counter',
        clientSecret: ' s ',
        companyId: '4821',
        stockIds: ['11', '12', '13'],
      },
    });
  });

  it('keeps ids beyond 2^53 to the digit', () => {
    expect(checkConnectForm({ ...right, companyId: '9007199254740993' })).toMatchObject({
      input: { companyId: '9007199254740993' },
    });
  });

  it('leaves out a secret that is kept, for its platform and client alone', () => {
    const kept = { platformUrl: 'https://shop.example.com', clientId: 'counter' };
    const without = { ...right, clientSecret: '' };
    expect(checkConnectForm(without, kept)).toEqual({
      ok: true,
      input: {
        platformUrl: kept.platformUrl,
        clientId: kept.clientId,
        companyId: '4821',
        stockIds: ['11', '12', '13'],
      },
    });
    for (const other of [
      null,
      { ...kept, clientId: 'office' },
      { ...kept, platformUrl: 'https://other.example.com' },
    ]) {
      expect(checkConnectForm(without, other)).toEqual({ ok: false, reasons: { clientSecret: 'missing' } });
    }
  });

  it.each(['HTTPS://Shop.Example.com', 'https://shop.example.com:443/api/v3/', 'https://shop.example.com/?x=1'])(
    'asks for no kept secret where the same platform is written as %s',
    (platformUrl) => {
      const kept = { platformUrl: 'https://shop.example.com', clientId: 'counter' };
      expect(checkConnectForm({ ...right, platformUrl, clientSecret: '' }, kept)).toMatchObject({
        ok: true,
        input: { platformUrl: kept.platformUrl },
      });
    },
  );

  it('names every empty field', () => {
    const empty = { platformUrl: '', clientId: ' ', clientSecret: '', companyId: '', stockIds: ' , ' };
    expect(checkConnectForm(empty)).toEqual({
      ok: false,
      reasons: {
        platformUrl: 'missing',
        clientId: 'missing',
        clientSecret: 'missing',
        companyId: 'missing',
        stockIds: 'missing',
      },
    });
  });

  it.each([
    ['platformUrl', 'shop', 'notAnAddress'],
    ['platformUrl', 'ftp://shop.example.com', 'notAnAddress'],
    ['platformUrl', 'http://shop.example.com', 'notSecure'],
    ['platformUrl', 'https://ana:secret@shop.example.com', 'hasUser'],
    ['companyId', '12a', 'notANumber'],
    ['companyId', '9223372036854775808', 'notANumber'],
    ['companyId', '-1', 'notANumber'],
    ['companyId', '0', 'notANumber'],
    ['stockIds', '11, 0', 'notANumber'],
    ['clientSecret', 's'.repeat(1001), 'tooLong'],
    ['stockIds', '1, x', 'notANumber'],
    ['stockIds', Array.from({ length: 51 }, (_, index) => index + 1).join(','), 'tooMany'],
  ] as const)('%s %j', (field, value, reason) => {
    expect(checkConnectForm({ ...right, [field]: value })).toEqual({ ok: false, reasons: { [field]: reason } });
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost:3000', 'http://[::1]:99', 'http://127.1.2.3'])(
    'takes %s, which does not leave this machine',
    (platformUrl) => {
      expect(checkConnectForm({ ...right, platformUrl })).toMatchObject({ ok: true, input: { platformUrl } });
    },
  );
});
