// An Http port that judges everything that goes through it by the description of the interface, and remembers what it
// saw.
import type { Http, HttpRequest } from '../../app/ports.ts';
import { describeInterface } from '../../app/service/openapi/openapi.ts';
import { createInterfaceCheck, readDescription } from './interface-check.ts';

const description = readDescription(describeInterface('http://127.0.0.1'));

export interface CheckedHttp extends Http {
  readonly requests: readonly HttpRequest[];
  /** The faults found in requests and answers. */
  readonly wrongs: readonly string[];
  /** The operations that were answered, by `operationId`. */
  readonly met: ReadonlySet<string>;
  /** Forgets what it saw. */
  forget(): void;
}

/** Wraps an Http port. */
export function createCheckedHttp(http: Http): CheckedHttp {
  const check = createInterfaceCheck(description);
  const requests: HttpRequest[] = [];
  const wrongs: string[] = [];
  return {
    requests,
    wrongs,
    met: check.met,
    forget: () => {
      requests.length = 0;
      wrongs.length = 0;
    },
    send: async (request) => {
      requests.push(request);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const seen = { method: request.method, url: request.url, headers, body: request.body ?? '' };
      const what = `${request.method} ${request.url}`;
      wrongs.push(...check.request(seen).map((wrong) => `${what}: ${wrong}`));
      const answer = await http.send(request);
      if (answer.ok) {
        const { status, body, headers: answered } = answer.value;
        wrongs.push(
          ...check
            .answer(seen, { status, body, headers: { get: (name) => answered[name] ?? null } })
            .map((wrong) => `${what}: ${wrong}`),
        );
      }
      return answer;
    },
  };
}
