import { z } from 'zod';
import { takeOut } from '../../../domain/redact.ts';
import { askJson, quote, ServerError } from '../json-http.ts';

const signedIn = z.tuple([z.int(), z.string()]);
const answered = z.union([z.object({ error: z.unknown() }), z.object({ result: z.unknown() })]);
const context = z.record(z.string(), z.unknown());
/** Of what a sign-in answers: it goes along with each request, and is taken out of each message in all its writings. */
const maxSignInBytes = 65_536;

/** Thrown where the server has answered, and refuses the method. */
class RefusedError extends ServerError {}

interface Session {
  readonly authorization: string;
  /** The user's own: company, language. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Calls methods of a Tryton server under one user, who is signed in when needed, and again when the session has ended. */
export function connectTryton({
  address,
  database,
  user,
  password,
}: Readonly<Record<'address' | 'database' | 'user' | 'password', string>>) {
  const url = new URL(`${encodeURIComponent(database)}/`, address.endsWith('/') ? address : `${address}/`);
  let session: Promise<Session> | null = null;
  let bare = takeOut([password]);

  const send = async (
    method: string,
    params: readonly unknown[],
    authorization: string | null,
    more: { readonly maxBytes?: number } = {},
  ): Promise<unknown> => {
    const headers = authorization === null ? {} : { authorization };
    const { document } = await askJson(url, {
      method: 'POST',
      headers,
      body: { id: 0, method, params },
      bare,
      ...more,
    });
    const answer = answered.parse(document);
    if ('error' in answer) {
      throw new RefusedError(`Tryton refuses ${method}: ${quote(JSON.stringify(answer.error), bare)}`, null);
    }
    return answer.result;
  };
  const signIn = async (): Promise<Session> => {
    const bounds = { maxBytes: maxSignInBytes };
    const [userId, key] = signedIn.parse(await send('common.db.login', [user, { password }], null, bounds));
    const shown = Buffer.from(`${user}:${userId}:${key}`).toString('base64');
    const authorization = `Session ${shown}`;
    bare = takeOut([password, key, shown]);
    const own = await send('model.res.user.get_preferences', [true, {}], authorization, bounds);
    return { authorization, context: context.parse(own) };
  };
  const callOnce = async (method: string, params: readonly unknown[], more: object): Promise<unknown> => {
    session ??= signIn();
    const current = session;
    // Whatever it was, the next call signs in anew.
    const forget = (): void => {
      session = session === current ? null : session;
    };
    const { authorization, context: own } = await current.catch((error: unknown) => {
      forget();
      throw error;
    });
    try {
      return await send(method, [...params, { ...own, ...more }], authorization);
    } catch (error) {
      // A method that is refused ends no session, and those that are left behind stay for a month.
      if (!(error instanceof RefusedError)) {
        forget();
      }
      throw error;
    }
  };
  return {
    /** The text without what the server was sent as secrets. */
    bare: (text: string) => bare(text),
    /** What the method answers; its last parameter, the context, is the user's own and `more`. Throws ServerError. */
    call: async (method: string, params: readonly unknown[], more: object): Promise<unknown> => {
      const isFirst = session === null;
      try {
        return await callOnce(method, params, more);
      } catch (error) {
        const hasEnded = error instanceof ServerError && [401, 403].includes(error.status ?? 0);
        if (!isFirst && hasEnded) {
          return callOnce(method, params, more);
        }
        throw error;
      }
    },
    /** Signs out: Tryton keeps a session for a month, and reads all of a user's at each request. */
    close: async (): Promise<void> => {
      const signedInAs = await session?.catch(() => null);
      session = null;
      if (signedInAs !== undefined && signedInAs !== null) {
        await send('common.db.logout', [], signedInAs.authorization).catch(() => null);
      }
    },
  };
}
