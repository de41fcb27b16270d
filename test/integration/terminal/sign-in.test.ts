// Proves over real HTTP that the screen which asked for a sign-in stays until the company and the stocks have been
// tried: a till that opened meanwhile would throw the form and its report away.
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { startTrainingPlatform } from '../../../app/training/server.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';

test('a sign-in that the company refuses never leaves the sign-in screen; one that it grants does', async () => {
  const { terminal, close } = await openPracticeTerminal();
  onTestFinished(close);
  const { handlers } = terminal;
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 5 });
  onTestFinished(() => platform.close());
  const { platformUrl, clientId, clientSecret, email, password } = platform;
  const connect = (companyId: Id) =>
    handlers['profile:connect']({ platformUrl, clientId, clientSecret, companyId, stockIds: [...platform.stockIds] });
  expect(await handlers['session:signOut']({})).toMatchObject({ ok: true });
  expect(await connect(platform.forbiddenCompanyId)).toMatchObject({ ok: true, value: { passed: true } });
  const phases = new Set<string>();
  terminal.subscribe((channel, payload) => {
    if (channel === 'terminal:changed' && 'phase' in payload) {
      phases.add(payload.phase);
    }
  });
  // Longer than the terminal waits before it tells of a change.
  platform.setFaults({ answerLatencyMs: 300 });

  const refused = await handlers['session:signIn']({ email, password });
  expect(refused.ok && refused.value.steps.find(({ outcome }) => outcome === 'failed')?.step).toBe('company');
  expect([...phases]).toEqual(['signIn']);

  expect(await handlers['profile:leave']({})).toMatchObject({ ok: true });
  expect(await connect(platform.companyId)).toMatchObject({ ok: true, value: { passed: true } });
  expect(await handlers['session:signIn']({ email, password })).toMatchObject({ ok: true, value: { passed: true } });
  expect(await handlers['terminal:read']({})).toMatchObject({ ok: true, value: { phase: 'ready' } });
});
