import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { printHubAddress, readOwnerAddress, type HubServer } from '../../hub/address.ts';
import { isLoopback } from '../../domain/loopback.ts';
import { succeed } from '../../domain/result.ts';
import type { HubFailure } from '../../hub/link.ts';
import {
  emptyHub,
  endTerminalSessions,
  findRoleToRemove,
  makeTerminalRole,
  removeRole,
  terminalRole,
} from '../../hub/roles.ts';
import { hubSchemaVersion, inTransaction, migrateHub, readSchemaVersion, type RunSql } from '../../hub/schema.ts';
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
  const made = await inTransaction(run, async () => {
    const before = await migrateHub(run);
    return before.ok
      ? succeed({ before: before.value, ...(await makeTerminalRole(run, verifierOf(password))) })
      : before;
  });
  if (!made.ok) {
    return refusal(made.failure === 'otherSchema' ? texts.otherSchema : describeFailure({ kind: made.failure }, texts));
  }
  const { before, role, isNew } = made.value;
  const lines: string[] = [];
  if (before === 0) {
    lines.push(texts.made);
  } else if (before < hubSchemaVersion) {
    // A session from before would not see what is new.
    await endTerminalSessions(run);
    lines.push(texts.upgraded.replace('{before}', String(before)).replace('{after}', String(hubSchemaVersion)));
  } else {
    lines.push(texts.unchanged);
  }
  if (fingerprint === null) {
    lines.push(texts.noTls);
  } else {
    lines.push(texts.certificate.replace('{fingerprint}', fingerprint));
  }
  if (!isNew) {
    return { lines: [...lines, texts.addressWas.replace('{role}', role)], exitCode: 0 };
  }
  if (role !== terminalRole) {
    lines.push(texts.ownRole.replaceAll('{role}', role));
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

async function reset(run: RunSql, isConfirmed: boolean, texts: Words): Promise<HubOutcome> {
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

async function remove(run: RunSql, isConfirmed: boolean, texts: Words): Promise<HubOutcome> {
  return inTransaction(run, async () => {
    const version = await readSchemaVersion(run);
    if (!version.ok) {
      return refusal(texts.otherSchema);
    }
    const role = await findRoleToRemove(run);
    if (version.value === 0 && role === null) {
      return { lines: [texts.noHub], exitCode: 0 };
    }
    if (!isConfirmed) {
      const count = version.value === 0 ? '0' : await countTexts(run);
      return refusal(texts.wouldRemove.replace('{count}', count).replace('{role}', role ?? terminalRole));
    }
    await run('drop schema if exists tillside_hub cascade');
    // dependent_objects_still_exist
    const isDependedOn = (error: unknown): boolean => failureOf(error).detail === '2BP01';
    const end = role === null ? 'removed' : await removeRole(run, role, isDependedOn);
    return { lines: [texts.roleEnd[end].replace('{role}', role ?? terminalRole)], exitCode: 0 };
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
      if (action === 'setUp') {
        return await setUp(run, server, connection.fingerprint, texts);
      }
      return await (action === 'reset' ? reset : remove)(run, isConfirmed, texts);
    } finally {
      await connection.end(signal);
    }
  } catch (error) {
    return refusal(describeFailure(failureOf(error), texts));
  }
}
