import { randomBytes } from 'node:crypto';
import { printHubAddress, readOwnerAddress, type HubServer } from '../../hub/address.ts';
import { isLoopback } from '../../domain/loopback.ts';
import { onOneLine } from '../../domain/one-line.ts';
import { succeed } from '../../domain/result.ts';
import { newsPrefix, textPrefix, type HubFailure } from '../../hub/link.ts';
import {
  actAsOwner,
  closeRoles,
  emptyHub,
  endOrphans,
  endTerminalSessions,
  findRolesToRemove,
  findTills,
  haveSession,
  makeTerminalRole,
  refuseTheNeedless,
  removeRole,
  terminalRole,
} from '../../hub/roles.ts';
import { hubSchemaVersion, inTransaction, migrateHub, readSchemaVersion, type RunSql } from '../../hub/schema.ts';
import type { HubCommand } from '../flags.ts';
import { wordsFor } from '../messages.ts';
import { failureOf } from './hub-error.ts';
import { makeNewAddress, type Query } from './new-address.ts';
import { makePassword, verifierOf } from './own-sign-in.ts';
import { connectPg } from './pg-connection.ts';
import { openSocket } from './socket.ts';

/** The lines to print at the end; an exit code of 0 means that it was done. */
export interface HubOutcome {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

export interface HubCommandOptions {
  /** A BCP 47 tag. */
  readonly language: string;
  /** The password where the address has none. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Words = ReturnType<typeof wordsFor>['hub'];

/** For all of it; whoever waits is a person. */
const timeoutMs = 30_000;
/**
 * A machine that is gone ends no transaction, and the server would learn of that after hours: until then no till would be
 * let in, and no command done.
 */
const endsWithUs = "set idle_in_transaction_session_timeout = '10s'";
const oldestServer = 14;

function refusal(line: string): HubOutcome {
  return { lines: [line], exitCode: 1 };
}

function describeFailure({ kind, detail }: HubFailure, texts: Words): string {
  if (detail === '42501') {
    return texts.notAllowed;
  }
  if (detail === '53200') {
    return texts.noLocks;
  }
  // No keychain is asked here.
  const words = texts.failures[kind === 'keychain' ? 'failed' : kind];
  const reason = words + (detail === undefined ? '' : ` (${detail})`);
  return texts.failed.replace('{reason}', () => reason);
}

/** Such a transaction outlives its session, and holds what it holds until somebody ends it. */
async function canPrepare(run: RunSql): Promise<boolean> {
  const [found] = await run('show max_prepared_transactions');
  return String(found?.['max_prepared_transactions']) !== '0';
}

async function setUp(run: RunSql, server: HubServer, fingerprint: string | null, texts: Words): Promise<HubOutcome> {
  const [found] = await run('show server_version');
  const serverVersion = String(found?.['server_version']);
  if (Number.parseInt(serverVersion, 10) < oldestServer) {
    return refusal(texts.oldServer.replace('{version}', () => serverVersion));
  }
  const password = makePassword();
  await actAsOwner(run);
  // Before, whoever holds a lock; after, whoever has come with an old password.
  await endTerminalSessions(run);
  const made = await inTransaction(run, async () => {
    const before = await migrateHub(run);
    if (!before.ok) {
      return before;
    }
    const terminals = await makeTerminalRole(run, verifierOf(password));
    await run('reset role');
    return succeed({
      before: before.value,
      ...terminals,
      areLocksRefused: await refuseTheNeedless(run, terminals.role),
    });
  });
  if (!made.ok) {
    return refusal(made.failure === 'otherSchema' ? texts.otherSchema : describeFailure({ kind: made.failure }, texts));
  }
  await actAsOwner(run);
  await endTerminalSessions(run);
  const { before, role, group, isNew, areLocksRefused } = made.value;
  const lines: string[] = [];
  if (before === 0) {
    lines.push(texts.made);
  } else if (before < hubSchemaVersion) {
    lines.push(texts.upgraded.replace('{before}', String(before)).replace('{after}', String(hubSchemaVersion)));
  } else {
    lines.push(texts.unchanged);
  }
  if (fingerprint === null) {
    lines.push(texts.noTls);
  } else {
    lines.push(texts.certificate.replace('{fingerprint}', fingerprint));
  }
  if (!areLocksRefused) {
    lines.push(texts.locks);
  }
  if (await canPrepare(run)) {
    lines.push(texts.prepared);
  }
  const letIn = texts.letIn.replace('hostssl', fingerprint === null ? 'host' : 'hostssl').replace('{group}', group);
  lines.push(letIn.replace('{database}', () => server.database));
  if (!isNew) {
    return { lines: [...lines, texts.addressWas.replace('{role}', role)], exitCode: 0 };
  }
  if (fingerprint !== null && isLoopback(server.host)) {
    lines.push(texts.loopback.replace('{host}', () => server.host));
  }
  const storeKey = randomBytes(32).toString('base64url');
  const address = printHubAddress({ ...server, user: role, password, storeKey, fingerprint });
  return { lines: [...lines, texts.addressIs, address], exitCode: 0 };
}

async function countTexts(run: RunSql): Promise<string> {
  const [found] = await run('select count(*)::int4 as count from tillside_hub.accounts');
  return String(found?.['count']);
}

// dependent_objects_still_exist
const isDependedOn = (error: unknown): boolean => failureOf(error).detail === '2BP01';

async function reset(run: RunSql, { isConfirmed }: HubCommand, texts: Words): Promise<HubOutcome> {
  if (isConfirmed) {
    // One might hold what is to be emptied.
    await endTerminalSessions(run);
  }
  return inTransaction(run, async () => {
    const version = await readSchemaVersion(run);
    if (!version.ok || version.value === 0) {
      return refusal(version.ok ? texts.noHub : texts.otherSchema);
    }
    if (!isConfirmed) {
      return refusal(texts.wouldReset.replace('{count}', await countTexts(run)));
    }
    await emptyHub(run);
    return { lines: [texts.reset], exitCode: 0 };
  });
}

async function remove(run: RunSql, beside: RunSql, { isConfirmed }: HubCommand, texts: Words): Promise<HubOutcome> {
  const version = await readSchemaVersion(run);
  if (!version.ok) {
    return refusal(texts.otherSchema);
  }
  const found = await findRolesToRemove(run);
  const [shared = terminalRole] = found;
  if (version.value === 0 && found.length === 0) {
    return { lines: [texts.noHub], exitCode: 0 };
  }
  if (!isConfirmed) {
    const count = version.value === 0 ? '0' : await countTexts(run);
    return refusal(texts.wouldRemove.replace('{count}', count).replace('{role}', shared));
  }
  // Until this one is closed anybody with the address joins.
  await closeRoles(run, beside, found.slice(0, 1));
  const roles = await findRolesToRemove(run);
  await closeRoles(run, beside, roles);
  return inTransaction(run, async () => {
    await run('drop schema if exists tillside_hub cascade');
    const ends = new Set<'removed' | 'used' | 'locked'>();
    for (const role of roles) ends.add(await removeRole(run, role, isDependedOn));
    const end = (['used', 'locked'] as const).find((one) => ends.has(one)) ?? 'removed';
    return { lines: [texts.roleEnd[end].replace('{role}', shared)], exitCode: 0 };
  });
}

async function removeTill(
  run: RunSql,
  beside: RunSql,
  { till, isConfirmed }: HubCommand,
  texts: Words,
): Promise<HubOutcome> {
  const version = await readSchemaVersion(run);
  if (!version.ok || version.value === 0) {
    return refusal(version.ok ? texts.noHub : texts.otherSchema);
  }
  const tills = await findTills(run);
  // As it was printed.
  const named = onOneLine(till ?? '');
  const roles = tills.filter(({ name }) => onOneLine(name) === named).map(({ role }) => role);
  const wordsOf = (text: string): string => text.replaceAll('{name}', () => till ?? '');
  if (roles.length === 0) {
    const names = [...new Set(tills.map(({ name }) => name))].join(', ');
    return refusal(wordsOf(texts.noTill).replace('{names}', () => (names === '' ? '–' : names)));
  }
  if (!isConfirmed) {
    return refusal(wordsOf(texts.wouldRemoveTill).replace('{count}', String(roles.length)));
  }
  await closeRoles(run, beside, roles);
  if (await haveSession(run, roles)) {
    return refusal(wordsOf(texts.goesOn));
  }
  return inTransaction(run, async () => {
    for (const role of roles) {
      // No till writes over a text that a newer version may have written. One that is empty is nobody's.
      await run(`update tillside_hub.accounts set document = '' where writer = '${role}'::regrole
        and (starts_with(account, '${newsPrefix}') or starts_with(account, '${textPrefix}'))`);
      await removeRole(run, role, isDependedOn);
      await run(`delete from tillside_hub.tills where role = '${role}'`);
    }
    return { lines: [wordsOf(texts.tillRemoved)], exitCode: 0 };
  });
}

/**
 * Does what the command line asks of a hub's database. Never rejects, and never tells the owner's password. What tills and
 * the server say of themselves commands no terminal.
 */
export async function runHubCommand(command: HubCommand, options: HubCommandOptions): Promise<HubOutcome> {
  const { lines, exitCode } = await obey(command, options);
  return { lines: lines.map(onOneLine), exitCode };
}

async function obey(command: HubCommand, { language, environment }: HubCommandOptions): Promise<HubOutcome> {
  const texts = wordsFor(language).hub;
  const read = readOwnerAddress(command.ownerAddress);
  if (!read.ok) {
    const part = (texts.parts as Readonly<Record<string, string>>)[read.failure] ?? '';
    return { lines: [texts.address.replace('{part}', part)], exitCode: 2 };
  }
  const password = read.value.password === '' ? (environment['PGPASSWORD'] ?? '') : read.value.password;
  const server = { ...read.value, password };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (server.fingerprint === null && !isLoopback(server.host)) {
      // Whoever answers at another machine's address may be anybody until its certificate is known.
      const { socket, fingerprint } = await openSocket(server, signal, { takesAnyCertificate: true });
      socket.destroy();
      // As openssl prints it.
      const shown = fingerprint?.toUpperCase().match(/../g)?.join(':') ?? '';
      return refusal(texts.confirm.replaceAll('{fingerprint}', shown));
    }
    const connect = async () => {
      const made = await connectPg(server, signal, { takesAnyCertificate: server.fingerprint === null });
      await made.query(endsWithUs, [], signal);
      return made;
    };
    const connection = await connect();
    const run: RunSql = (sql) => connection.query(sql, [], signal);
    // Who only asks ends nobody's sessions.
    const other = command.isConfirmed ? await connect() : connection;
    const beside: RunSql = (sql) => other.query(sql, [], signal);
    try {
      if (command.isConfirmed || command.action === 'setUp') {
        // As whoever signed in: the hub's owner may be no superuser.
        await endOrphans(run);
      }
      switch (command.action) {
        case 'setUp':
          return await setUp(run, server, connection.fingerprint, texts);
        case 'newAddress': {
          const before = environment['TILLSIDE_HUB_ADDRESS'] ?? '';
          const { fingerprint } = connection;
          const query: Query = (sql, values = []) => connection.query(sql, values, signal);
          return await makeNewAddress({ ...command, query, beside, server, fingerprint, before }, texts);
        }
        case 'reset':
          return await reset(run, command, texts);
        default:
          return await { remove, removeTill }[command.action](run, beside, command, texts);
      }
    } finally {
      await Promise.all([...new Set([connection, other])].map((one) => one.end(signal)));
    }
  } catch (error) {
    return refusal(describeFailure(failureOf(error), texts));
  }
}
