// POST /api/v3/categories, the sample call of API v3 §4.9, whose body and response are not shown: it takes any JSON
// object and answers 201 with the id of what it created, so that the general rules can be tried on a call that creates
// something.
import { parseJson } from '../../domain/json.ts';
import { answerJson, refuse, type PlatformAnswer } from './answers.ts';
import type { TrainingStore } from '../data/store.ts';

const countFact = 'categories';
const firstId = 301;

/** Creates a category. */
export function createCategory(store: TrainingStore, body: string): PlatformAnswer {
  const document = parseJson(body);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return refuse(400, 'bad_request', 'O corpo da requisição não é um JSON válido.');
  }
  const count = Number(store.readFact(countFact) ?? 0);
  store.writeFact(countFact, String(count + 1));
  return answerJson(201, { id: firstId + count });
}
