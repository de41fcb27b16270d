// The answer of oauth/scopes (API v3 §4.2), whose shape is not shown.
import { answerJson, type PlatformAnswer } from './answers.ts';
import type { Readings } from './readings.ts';

/** The scopes in this shape. */
export function listScopes(shape: Readings['scopesShape']): PlatformAnswer {
  const scopes = [{ id: '*', description: 'Acesso completo' }];
  return answerJson(200, { list: scopes, names: ['*'], wrapped: { data: scopes } }[shape]);
}
