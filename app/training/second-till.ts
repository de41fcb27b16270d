import { z } from 'zod';
import { fail, mapResult, type Result } from '../domain/result.ts';
import type { HubFailure } from '../hub/link.ts';
import { callPracticeHub } from '../hub/practice-link.ts';
import type { Http, PracticePlatform } from '../ports.ts';
import { applications, places, users } from './data/world.ts';

/** Names a request of a till that takes its own network down. */
export const secondTillHeader = 'tillside-practice-till';

const joinTimeoutMs = 5_000;
const joinedSchema = z.object({ till: z.int().min(2) });

/** Opens the practice store that another Tillside of this machine runs, by its control panel's address, as this till. */
export async function joinPractice(
  http: Http,
  controlUrl: string,
  id: string,
  tillName: (number: number) => string,
): Promise<Result<PracticePlatform, HubFailure>> {
  const joined = await callPracticeHub(http, controlUrl, { call: 'join', id }, joinedSchema, joinTimeoutMs);
  const [{ clientId, clientSecret }, { email, password }] = [applications[0], users[0]];
  let isNetworkDown = false;
  return mapResult(joined, ({ till }) => ({
    platformUrl: new URL(controlUrl).origin,
    controlUrl,
    tillName: tillName(till),
    clientId,
    clientSecret,
    companyId: places.companyId,
    stockIds: places.stockIds,
    email,
    password,
    isNetworkDown: () => isNetworkDown,
    setNetworkDown: (isDown) => {
      isNetworkDown = isDown;
    },
    through: (inner) => ({
      send: (request) =>
        isNetworkDown
          ? Promise.resolve(fail({ kind: 'unreachable' }))
          : inner.send({ ...request, headers: { ...request.headers, [secondTillHeader]: String(till) } }),
    }),
    close: () => Promise.resolve(),
  }));
}
