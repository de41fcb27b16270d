import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { isLoopback, printHubAddress, readOwnerAddress, type HubServer } from '../../hub/address.ts';
import type { HubFailure } from '../../hub/link.ts';
import {
  hubSchemaVersion,
  inTransaction,
  makeTerminalRole,
  migrateHub,
  readSchemaVersion,
  terminalRole,
  type RunSql,
} from '../../hub/schema.ts';
import type { HubCommand } from '../flags.ts';
import { wordsFor } from '../messages.ts';
import { failureOf } from './hub-error.ts';
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
const oldestServer = 14;

/** Somebody may read the server's log, so that it never has the password: RFC 5803, as PostgreSQL keeps it. */
function verifierOf(password: string): string {
  const [iterations, salt] = [4_096, randomBytes(16)];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

function refusal(line: string): HubOutcome {
  return { lines: [line], exitCode: 1 };
}

function describeFailure({ kind, detail }: HubFailure, texts: Words): string {
  if (detail === '42501') {
    return texts.notAllowed;
  }
  // No keychain is asked here.
  const words = texts.failures[kind === 'keychain' ? 'failed' : kind];
  const reason = words + (detail === undefined ? '' : ` (${detail})`);
  return texts.failed.replace('{reason}', () => reason);
}

async function setUp(run: RunSql, server: HubServer, fingerprint: string | null, texts: Words): Promise<HubOutcome> {
  const [found] = await run('show server_version');
  const serverVersion = String(found?.['server_version']);
  if (Number.parseInt(serverVersion, 10) < oldestServer) {
    return refusal(texts.oldServer.replace('{version}', () => serverVersion));
  }
  const password = randomBytes(24).toString('base64url');
  const { before, isRoleNew } = await inTransaction(run, async () => {
    const migrated = await migrateHub(run);
    return { before: migrated, isRoleNew: migrated.ok && (await makeTerminalRole(run, verifierOf(password))) };
  });
  if (!before.ok) {
    return refusal(
      before.failure === 'otherSchema' ? texts.otherSchema : describeFailure({ kind: before.failure }, texts),
    );
  }
  const lines: string[] = [];
  if (before.value === 0) {
    lines.push(texts.made);
  } else if (before.value < hubSchemaVersion) {
    lines.push(texts.upgraded.replace('{before}', String(before.value)).replace('{after}', String(hubSchemaVersion)));
  } else {
    lines.push(texts.unchanged);
  }
  if (fingerprint === null) {
    lines.push(texts.noTls);
  } else {
    lines.push(texts.certificate.replace('{fingerprint}', fingerprint));
  }
  if (!isRoleNew) {
    return { lines: [...lines, texts.addressWas.replace('{role}', terminalRole)], exitCode: 0 };
  }
  if (fingerprint !== null && isLoopback(server.host)) {
    lines.push(texts.loopback.replace('{host}', () => server.host));
  }
  const storeKey = randomBytes(32).toString('base64url');
  const address = printHubAddress({ ...server, user: terminalRole, password, storeKey, fingerprint });
  return { lines: [...lines, texts.addressIs, address], exitCode: 0 };
}

/** Answers whether the role is gone; what else depends on it keeps it. */
async function dropRole(run: RunSql): Promise<boolean> {
  await run('savepoint with_role');
  try {
    await run(`drop role if exists ${terminalRole}`);
    return true;
  } catch (error) {
    // dependent_objects_still_exist
    if (failureOf(error).detail !== '2BP01') throw error;
    await run('rollback to savepoint with_role');
    return false;
  }
}

async function remove(run: RunSql, isConfirmed: boolean, texts: Words): Promise<HubOutcome> {
  return inTransaction(run, async () => {
    const version = await readSchemaVersion(run);
    if (!version.ok) {
      return refusal(texts.otherSchema);
    }
    const [role] = await run(`select from pg_catalog.pg_roles where rolname = '${terminalRole}'`);
    if (version.value === 0 && role === undefined) {
      return { lines: [texts.noHub], exitCode: 0 };
    }
    if (!isConfirmed) {
      const accounts = version.value === 0 ? [] : await run('select from tillside_hub.accounts');
      return refusal(texts.wouldRemove.replace('{count}', String(accounts.length)).replace('{role}', terminalRole));
    }
    await run('drop schema if exists tillside_hub cascade');
    const isRoleGone = await dropRole(run);
    return { lines: [isRoleGone ? texts.removed : texts.roleStays.replace('{role}', terminalRole)], exitCode: 0 };
  });
}

/** Does what the command line asks of a hub's database. Never rejects, and never tells the owner's password. */
export async function runHubCommand(
  { action, ownerAddress, isConfirmed }: HubCommand,
  { language, environment }: HubCommandOptions,
): Promise<HubOutcome> {
  const texts = wordsFor(language).hub;
  const read = readOwnerAddress(ownerAddress);
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
    const connection = await connectPg(server, signal, { takesAnyCertificate: server.fingerprint === null });
    const run: RunSql = (sql) => connection.query(sql, [], signal);
    try {
      return action === 'setUp'
        ? await setUp(run, server, connection.fingerprint, texts)
        : await remove(run, isConfirmed, texts);
    } finally {
      await connection.end(signal);
    }
  } catch (error) {
    return refusal(describeFailure(failureOf(error), texts));
  }
}
