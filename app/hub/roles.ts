import type { RunSql } from './schema.ts';

/** The role that every terminal signs in with. It may call the hub's functions, and nothing else. */
export const terminalRole = 'tillside_terminal';

const ownSettings: Readonly<Record<string, string>> = {
  statement_timeout: '10s',
  default_transaction_isolation: 'read committed',
  idle_in_transaction_session_timeout: '10s',
};

async function isTrue(run: RunSql, condition: string): Promise<boolean> {
  const [row] = await run(`select (${condition}) as "isSo"`);
  return row?.['isSo'] === true;
}

const exists = (run: RunSql, role: string): Promise<boolean> =>
  isTrue(run, `exists (select from pg_catalog.pg_roles where rolname = '${role}')`);

/** Whether the hub of another database of this server lets this role in. */
const isUsedElsewhere = (run: RunSql, role: string): Promise<boolean> =>
  isTrue(
    run,
    `exists (select from pg_catalog.pg_shdepend d
      where d.refclassid = 'pg_catalog.pg_authid'::regclass
        and d.refobjid = (select oid from pg_catalog.pg_roles where rolname = '${role}')
        and d.classid = 'pg_catalog.pg_namespace'::regclass and d.deptype = 'a'
        and d.dbid <> (select oid from pg_catalog.pg_database where datname = current_database()))`,
  );

/** The role that this database's hub lets in; null where there is none. */
export async function findTerminalRole(run: RunSql): Promise<string | null> {
  const [found] = await run(`select r.rolname from pg_catalog.pg_namespace n, lateral aclexplode(n.nspacl) a
    join pg_catalog.pg_roles r on r.oid = a.grantee
    where n.nspname = 'tillside_hub' and starts_with(r.rolname, '${terminalRole}') order by r.rolname desc`);
  return typeof found?.['rolname'] === 'string' ? found['rolname'] : null;
}

/** The role's name for a new hub: its own where another hub of this server has the usual one. */
async function chooseRole(run: RunSql): Promise<string> {
  if (!(await isUsedElsewhere(run, terminalRole))) {
    return terminalRole;
  }
  const [database] = await run(
    'select oid::int8 as oid from pg_catalog.pg_database where datname = current_database()',
  );
  return `${terminalRole}_${String(database?.['oid'])}`;
}

async function endSessions(run: RunSql, role: string): Promise<void> {
  await run(`select pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
    where usename = '${role}' and pid <> pg_backend_pid()`);
}

/**
 * Ends the role's sessions, and takes from it what it owns here and whatever has been set for it. Whoever had its
 * password may have done all that to keep it from being dropped, or its next owner from working.
 */
async function emptyRole(run: RunSql, role: string): Promise<void> {
  // Who made a role need not have its rights.
  await run(`grant ${role} to current_user`);
  await run(`drop owned by ${role} cascade`);
  await run(`alter role ${role} reset all`);
  await run(`do $$ declare name text; begin
    for name in select d.datname from pg_catalog.pg_db_role_setting s
      join pg_catalog.pg_database d on d.oid = s.setdatabase join pg_catalog.pg_roles r on r.oid = s.setrole
      where r.rolname = '${role}'
    loop
      execute format('alter role ${role} in database %I reset all', name);
    end loop;
  end $$`);
  await endSessions(run, role);
  await run(`revoke ${role} from current_user`);
}

/** Ends the sessions of this hub's terminals. They connect again, and learn then what the hub can do. */
export async function endTerminalSessions(run: RunSql): Promise<void> {
  const role = await findTerminalRole(run);
  if (role !== null) {
    // Who made a role need not have its rights.
    await run(`grant ${role} to current_user`);
    await endSessions(run, role);
    await run(`revoke ${role} from current_user`);
  }
}

export interface MadeRole {
  readonly role: string;
  /** Its password is the one of the verifier. */
  readonly isNew: boolean;
}

/**
 * Makes the terminals' role where this database's hub has none. One that an earlier hub has left behind gets the new
 * password, and keeps nothing. The verifier is what PostgreSQL keeps of a password. Within a transaction, after
 * `migrateHub`.
 */
export async function makeTerminalRole(run: RunSql, verifier: string): Promise<MadeRole> {
  const found = await findTerminalRole(run);
  const role = found ?? (await chooseRole(run));
  if (found === null) {
    if (await exists(run, role)) {
      await emptyRole(run, role);
      await run(`alter role ${role} login password '${verifier}'`);
    } else {
      await run(`create role ${role} login password '${verifier}'`);
    }
    for (const [name, value] of Object.entries(ownSettings)) {
      await run(`alter role ${role} set ${name} = '${value}'`);
    }
  }
  await run(`grant usage on schema tillside_hub to ${role};
    grant execute on function tillside_hub.hub_read(text) to ${role};
    grant execute on function tillside_hub.hub_write(text, bigint, float8, text) to ${role};
    grant execute on function tillside_hub.hub_read_rows(text, bigint) to ${role};
    grant execute on function tillside_hub.hub_write_rows(text, bigint, float8, text, text[], text[]) to ${role}`);
  // Up to PostgreSQL 14 everybody may make tables in "public". Where others already do, that is theirs to say.
  await run(`do $$ begin
    if to_regnamespace('public') is not null
      and has_schema_privilege('${role}', 'public', 'create')
      and not exists (select from pg_catalog.pg_class where relnamespace = 'public'::regnamespace)
    then revoke create on schema public from public;
    end if;
  end $$`);
  return { role, isNew: found === null };
}

/**
 * Empties the hub, within a transaction. Sessions of the terminals are ended, for one might hold what is to be emptied.
 * It counts as used, whatever an old copy of it says: nothing is lent before all that was lent has run out.
 */
export async function emptyHub(run: RunSql): Promise<void> {
  await endTerminalSessions(run);
  await run(`delete from tillside_hub.accounts; update tillside_hub.meta set is_unused = false;
    do $$ begin
      if to_regclass('tillside_hub.members') is not null then delete from tillside_hub.members; end if;
    end $$`);
}

/** The role that goes with this database's hub, or that an earlier one has left behind; null where there is none. */
export async function findRoleToRemove(run: RunSql): Promise<string | null> {
  const found = await findTerminalRole(run);
  if (found !== null) {
    return found;
  }
  return (await exists(run, terminalRole)) && !(await isUsedElsewhere(run, terminalRole)) ? terminalRole : null;
}

/**
 * Removes a hub's role, within a transaction, after its schema. `used`: another hub needs it, and it stays as it is.
 * `locked`: it owns something in another database, and nobody can sign in with it any more. `isDependedOn` judges the
 * error of a role that something depends on.
 */
export async function removeRole(
  run: RunSql,
  role: string,
  isDependedOn: (error: unknown) => boolean,
): Promise<'removed' | 'used' | 'locked'> {
  if (await isUsedElsewhere(run, role)) {
    return 'used';
  }
  await emptyRole(run, role);
  await run('savepoint with_role');
  try {
    await run(`drop role ${role}`);
    return 'removed';
  } catch (error) {
    if (!isDependedOn(error)) throw error;
    await run('rollback to savepoint with_role');
    await run(`alter role ${role} nologin password null`);
    return 'locked';
  }
}
