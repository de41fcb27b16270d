import { expect, onTestFinished } from 'vitest';
import type { HubServer } from '../../../../app/hub/address.ts';
import type { HubLink } from '../../../../app/hub/link.ts';
import { connectPg, type PgConnection } from '../../../../app/hosts/hub/pg-connection.ts';
import { createPgLink } from '../../../../app/hosts/hub/pg-link.ts';

/** Longer than any answer takes, on a machine with other work to do. */
export const patientMs = 20_000;

/** Signs in to this server; the session ends with the test. */
export async function signIn(server: HubServer): Promise<PgConnection> {
  const session = await connectPg(server, AbortSignal.timeout(patientMs));
  onTestFinished(() => {
    session.destroy();
  });
  return session;
}

export function ask(
  session: PgConnection,
  sql: string,
  values: readonly (string | number)[] = [],
): ReturnType<PgConnection['query']> {
  return session.query(sql, values, AbortSignal.timeout(patientMs));
}

/** Runs SQL in a session of its own. */
export async function askOnce(server: HubServer, sql: string): ReturnType<PgConnection['query']> {
  const session = await connectPg(server, AbortSignal.timeout(patientMs));
  try {
    return await ask(session, sql);
  } finally {
    await session.end(AbortSignal.timeout(patientMs));
  }
}

/** A link to this server, which is closed with the test. */
export function linkTo(server: HubServer): HubLink {
  const link = createPgLink(server);
  onTestFinished(() => link.close());
  return link;
}

/** The outcome of a command that says one thing, with this in it. */
export const saying = (exitCode: number, words: string | RegExp) => ({
  exitCode,
  lines: [typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words)],
});

/** Whether this address is let in. */
export async function opens(server: HubServer): Promise<boolean> {
  const link = createPgLink(server);
  const { ok } = await link.read('a', patientMs);
  await link.close();
  return ok;
}
