// The lines that a technician finds in the log after an outage, a refusal and a copy: one each, and nothing secret.
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';

test('outages, sign-ins, renewals, 429s, failed connection tests and the copy are logged without secrets', async () => {
  const lines: string[] = [];
  const has = (part: string) => vi.waitFor(() => expect(lines.join('\n')).toContain(part), { timeout: 60_000 });
  const { terminal, platform, close } = await openPracticeTerminal({
    shell: { log: (...line) => void lines.push(JSON.stringify(line)) },
  });
  onTestFinished(close);
  const { handlers } = terminal;
  const { email, password, companyId, clientId, clientSecret, platformUrl } = platform;
  await has('["info","session: sign-in granted"]');
  await has('"connection: online"');
  await has('"catalogue: copy begun"');
  await has('["info","catalogue: copy complete",{"copied":');

  await handlers['practice:setNetwork']({ isDown: true });
  await has('["warning","connection: offline",{"kind":"unreachable"}]');
  await handlers['practice:setNetwork']({ isDown: false });
  await has('"wasOfflineForSeconds":');

  platform.expireAccessTokens();
  await handlers['lookup:ask']({ text: '9520000000028' });
  await has('["info","session: renewal granted"]');

  platform.setFaults({ faults: [{ kind: 'answer', status: 429, path: '/stocks/', times: 1 }] });
  await handlers['lookup:ask']({ text: '9520000000035' });
  await has('"platform: too many requests"');
  platform.setFaults({});

  expect(await handlers['session:signIn']({ email, password: 'wrong' })).toMatchObject({ ok: false });
  await has('["warning","session: sign-in refused",{"kind":"credentialsRejected"');
  await handlers['profile:connect']({
    platformUrl: `${platformUrl}/elsewhere`,
    clientId,
    clientSecret: 'another',
    companyId,
    stockIds: [...platform.stockIds],
  });
  await has('["warning","connection: test failed",{"step":"address"');

  const whole = lines.join('\n');
  for (const secret of [email, password, clientSecret, 'another', '9520000000028', '9520000000035']) {
    expect(whole).not.toContain(secret);
  }
});
