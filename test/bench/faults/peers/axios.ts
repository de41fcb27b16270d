import axios, { AxiosError, AxiosHeaders, type AxiosAdapter, type AxiosResponse } from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
import { answersUntilGivenUp, bodyOf, couponUrl, headersOf, maxBackoffMs, type Peer, type PeerLife } from '../peer.ts';
import type { PeerAnswer } from '../peer-session.ts';

function adapterOf(life: PeerLife): AxiosAdapter {
  return async (config) => {
    let answer: PeerAnswer;
    try {
      // Here and not in an interceptor, so that a failure to get one is retried like any other.
      config.headers.set('Authorization', `Bearer ${await life.session.token()}`);
      const headers = Object.fromEntries(
        Object.entries(config.headers.toJSON()).map(([name, value]) => [name, String(value)]),
      );
      answer = await life.exchange({ method: 'PUT', url: config.url ?? '', headers, body: String(config.data) });
    } catch (error) {
      const isTimeout = error instanceof DOMException;
      throw new AxiosError(
        isTimeout ? 'timeout exceeded' : 'socket hang up',
        isTimeout ? AxiosError.ECONNABORTED : 'ECONNRESET',
        config,
      );
    }
    const response: AxiosResponse<string> = {
      status: answer.status,
      statusText: '',
      headers: new AxiosHeaders({ ...answer.headers }),
      data: answer.body,
      config,
    };
    if (config.validateStatus?.(answer.status) === true) {
      return response;
    }
    throw new AxiosError('unexpected status', AxiosError.ERR_BAD_RESPONSE, config, null, response);
  };
}

export const axiosWithRetry: Peer = {
  name: 'axios 1 + axios-retry 4',
  setUp:
    'no queue and no limit, each switch on its own; exponentialDelay from 1 s to 60 s with Retry-After, shouldResetTimeout, retryCondition for the network, 5xx, 429 and 401, onRetry renews the token; one key a switch',
  isDurable: false,
  start: (life) => {
    const client = axios.create({ adapter: adapterOf(life), validateStatus: (status) => status === 204 });
    axiosRetry(client);
    const waiting = new Set<number>();
    return Promise.resolve({
      submit: (intent) => {
        waiting.add(intent.id);
        const key = life.uuid();
        life.noteKey(key, intent);
        let answers = 0;
        const one = client.put(couponUrl, bodyOf(life, intent), {
          headers: headersOf(key),
          'axios-retry': {
            retries: Number.MAX_SAFE_INTEGER,
            shouldResetTimeout: true,
            retryDelay: (count, error) => Math.min(maxBackoffMs, exponentialDelay(count, error, 500)),
            retryCondition: ({ response }) => {
              answers += response === undefined ? 0 : 1;
              return answers < answersUntilGivenUp;
            },
            onRetry: async (_count, { response, config }) => {
              if (response?.status === 401) {
                await life.session
                  .renew(String(config?.headers.get('Authorization')).replace('Bearer ', ''))
                  .catch(() => undefined);
              }
            },
          },
        });
        one
          .catch(() => {
            life.giveUp(intent.id);
          })
          .finally(() => waiting.delete(intent.id));
      },
      waiting: () => new Set(waiting),
    });
  },
};
