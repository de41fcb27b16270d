import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { printHubAddress, readHubAddress, type HubServer } from '../../hub/address.ts';
import { succeed } from '../../domain/result.ts';
import { maxAccountsOfTill, newsPrefix, textPrefix, type HubLink } from '../../hub/link.ts';
import {
  actAsOwner,
  closeRoles,
  endTerminalSessions,
  findTerminalRole,
  findTills,
  isUsedElsewhere,
  makeTerminalRole,
} from '../../hub/roles.ts';
import { inTransaction, migrateHub, readRowsSql, readSchemaVersion, type RunSql } from '../../hub/schema.ts';
import { createSealedDocument, lifeRegister } from '../../hub/sealed-document.ts';
import { keyIdOf, openNextKey, sealNextKey } from '../../hub/sealing.ts';
import type { wordsFor } from '../messages.ts';
import { HubError } from './hub-error.ts';
import { makePassword, verifierOf } from './own-sign-in.ts';
import type { PgConnection } from './pg-connection.ts';
import { readingIn, writing, writtenIn } from './pg-link.ts';
import { maxMessageBytes } from './server-guard.ts';

/** Runs one statement with these values. */
export type Query = (sql: string, values?: readonly unknown[]) => ReturnType<PgConnection['query']>;
type Words = ReturnType<typeof wordsFor>['hub'];

interface NewAddressOptions {
  readonly query: Query;
  /** Of another connection. */
  readonly beside: RunSql;
  readonly server: HubServer;
  /** Of the server's certificate; null without TLS. */
  readonly fingerprint: string | null;
  /** The address until now, as a terminal reads it. */
  readonly before: string;
  readonly isConfirmed: boolean;
}

const random = { uuid: randomUUID };
/** How texts begin that are removed, not sealed anew. */
const removed = [newsPrefix, textPrefix, lifeRegister];
/** More accounts are not looked at. */
const maxAccounts = 1_000;
/** So often it is tried, a second apart, where the key opens nothing: tills write back what somebody has made unreadable. */
const maxTries = 6;

const notOpened = new Error('the key does not open it');
const unknownKey = new Error('nothing says whose key it is');
const removedHub = new Error('somebody has removed the hub meanwhile');

interface NewestKey {
  readonly key: string;
  /** The hub has it as the one that counts. */
  readonly isKnown: boolean;
}

/**
 * The newest of the shop's keys, which the named one or one after it is. A hub that came from an older backup does not know
 * the named one: it is the newest, where it opens what the tills share. Throws where none leads there, or there is nothing
 * to open.
 */
async function findNewest(query: Query, named: string): Promise<NewestKey> {
  const id = keyIdOf(named);
  const [found] = await query(
    `select m.key, k.next, exists (select from tillside_hub.accounts a where not a.account ^@ any ($2::text[])) as "isInUse"
      from tillside_hub.meta m left join tillside_hub.keys k on k.id = $1`,
    [id, removed],
  );
  if (found?.['key'] === null || found?.['key'] === id) {
    return { key: named, isKnown: found['key'] === id };
  }
  if (typeof found?.['next'] !== 'string') {
    if (found?.['isInUse'] !== true) throw unknownKey;
    return { key: named, isKnown: false };
  }
  const next = openNextKey(named, found['next']);
  if (next === null) throw notOpened;
  return findNewest(query, next);
}

/**
 * Seals every document with another key, and removes what else the tills have shared, in a transaction in which nobody
 * else writes. What the key does not open is lost, as for the tills (H8): whoever has the address before may have written
 * it. Answers false, with the work half done, where nothing says that it is this hub's key.
 */
async function sealAnew(query: Query, from: NewestKey, to: string): Promise<boolean> {
  const link: Pick<HubLink, 'read' | 'write'> = {
    read: async (account, _timeoutMs, since = 0) => succeed(readingIn(await query(readRowsSql, [account, since]))),
    write: async (account, reading, document, _timeoutMs, rows = []) =>
      succeed(writtenIn(await query(...writing(account, reading, document, rows)))),
  };
  await query('delete from tillside_hub.accounts where account ^@ any ($1::text[])', [removed]);
  // Those whose tills write records come first, and none that is longer than an answer may be.
  const found = await query(
    `select one.account from (select a.account from tillside_hub.accounts a
        order by exists (select from tillside_hub.members r where r.account = a.account) desc, a.written_at desc
        limit ${maxAccounts}) one, lateral tillside_hub.hub_read_rows(one.account, 0) h
      where octet_length(h.document) + octet_length(h.rows::text) < ${maxMessageBytes - 1_000}`,
  );
  const opened: string[] = [];
  for (const account of found.map((row) => String(row['account']))) {
    // The owner writes no more of them than a till.
    if (opened.length === maxAccountsOfTill) break;
    const ports = { random, link, account };
    const read = await createSealedDocument({ ...ports, key: Buffer.from(from.key, 'base64url') }).read();
    if (read.ok && read.value.document !== null && read.value.document !== 'unreadable') {
      const { reading, document } = read.value;
      const sealed = createSealedDocument({ ...ports, key: Buffer.from(to, 'base64url') });
      const written = await sealed.write(reading, document);
      if (written.ok && written.value) opened.push(account);
    }
  }
  const [left] = await query('select count(*)::int4 as count from tillside_hub.accounts');
  if (opened.length === 0 && left?.['count'] !== 0 && !from.isKnown) return false;
  await query('delete from tillside_hub.accounts where account <> all ($1::text[])', [opened]);
  await query('delete from tillside_hub.members where account <> all ($1::text[])', [opened]);
  return true;
}

async function nameTills(run: RunSql): Promise<string> {
  const tills = (await findTills(run)).map(({ name }) => name);
  const names = [...new Set(tills)].map((name) => {
    const count = tills.filter((one) => one === name).length;
    return count === 1 ? name : `${name} (${count})`;
  });
  return names.join(', ');
}

/**
 * Gives the hub another key, and another password to the role of its address. Tills with a role of their own follow, by
 * the key that they have. Answers the lines to print, or one that says why nothing has been changed.
 */
export async function makeNewAddress(
  { query, beside, server, fingerprint, before, isConfirmed }: NewAddressOptions,
  texts: Words,
): Promise<{ readonly lines: readonly string[]; readonly exitCode: number }> {
  const run: RunSql = (sql) => query(sql);
  const refusal = (line: string) => ({ lines: [line], exitCode: 1 });
  const named = readHubAddress(before);
  if (!named.ok) {
    return refusal(texts.needsAddress);
  }
  const version = await readSchemaVersion(run);
  if (!version.ok || version.value === 0) {
    return refusal(version.ok ? texts.noHub : texts.otherSchema);
  }
  const shared = await findTerminalRole(run);
  if (shared !== null && (await isUsedElsewhere(run, shared))) {
    return refusal(texts.sharedAddress.replace('{role}', shared));
  }
  const isSame = named.value.fingerprint === fingerprint;
  const warning = isSame ? [] : [texts.certificateChanged];
  // Tills talk to no server with another one.
  const wordsOf = async (text: string): Promise<string> => {
    const names = isSame ? await nameTills(run) : '';
    return text.replace('{names}', () => (names === '' ? '–' : names));
  };
  if (!isConfirmed) {
    return { lines: [...warning, await wordsOf(texts.wouldReplace)], exitCode: 1 };
  }
  await actAsOwner(run);
  await endTerminalSessions(run);
  // Whoever has the old address makes no role from here on. An end before the other's makes it good as it was.
  await actAsOwner(beside);
  await closeRoles(run, beside, shared === null ? [] : [shared]);
  const [password, storeKey] = [makePassword(), randomBytes(32).toString('base64url')];
  const change = async () => {
    const migrated = await migrateHub(run);
    if (!migrated.ok) throw new HubError(migrated.failure === 'otherSchema' ? 'notSetUp' : migrated.failure);
    if (migrated.value === 0) throw removedHub;
    const newest = await findNewest(query, named.value.storeKey);
    // On another server reading would empty what shows whose key it is; the first till's does. As it was at the end.
    const [meta] = await query('select home from tillside_hub.meta');
    await query('update tillside_hub.meta set home = tillside_hub.home_now()');
    await query('lock table tillside_hub.accounts in share row exclusive mode');
    if (!(await sealAnew(query, newest, storeKey))) throw notOpened;
    await query('update tillside_hub.meta set home = $1', [meta?.['home']]);
    await query('insert into tillside_hub.keys values ($1, $2, clock_timestamp())', [
      keyIdOf(newest.key),
      sealNextKey(newest.key, storeKey, random),
    ]);
    await query('update tillside_hub.meta set key = $1', [keyIdOf(storeKey)]);
    const { role } = await makeTerminalRole(run, verifierOf(password), true);
    // Until its role was closed anybody with the old address joined.
    return { user: role, replaced: await wordsOf(texts.replaced) };
  };
  const tryUntilOpened = async (tries: number): ReturnType<typeof change> => {
    try {
      return await inTransaction(run, change);
    } catch (error) {
      if (error !== notOpened || tries === 1) throw error;
      await setTimeout(1_000);
      return tryUntilOpened(tries - 1);
    }
  };
  return tryUntilOpened(maxTries).then(
    ({ user, replaced }) => {
      const address = { ...named.value, user, password, storeKey, database: server.database, fingerprint };
      return { lines: [...warning, replaced, texts.addressIs, printHubAddress(address)], exitCode: 0 };
    },
    async (error: unknown) => {
      if (error === removedHub) return refusal(texts.noHub);
      // As it was.
      if (shared !== null) await query(`alter role ${shared} login`);
      if (error !== notOpened && error !== unknownKey) throw error;
      return refusal(error === notOpened ? texts.otherAddress : texts.unknownAddress);
    },
  );
}
