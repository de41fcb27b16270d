import type { RunSql } from './schema.ts';

/** The role of the hub's address: whoever has that signs in with it, until it has a role of its own. */
export const terminalRole = 'tillside_terminal';
/** The group of all these roles, for pg_hba.conf. Nobody signs in with it, and it owns nothing. */
const tillsRole = 'tillside_tills';

const ownSettings: Readonly<Record<string, string>> = {
  statement_timeout: '10s',
  default_transaction_isolation: 'read committed',
  idle_in_transaction_session_timeout: '10s',
  idle_session_timeout: '1min',
};

async function isTrue(run: RunSql, condition: string): Promise<boolean> {
  const [row] = await run(`select (${condition}) as "isSo"`);
  return row?.['isSo'] === true;
}

const exists = (run: RunSql, role: string): Promise<boolean> =>
  isTrue(run, `exists (select from pg_catalog.pg_roles where rolname = '${role}')`);

/** A till's own, as `hub_join` names it. */
const isOfTill = /_[0-9a-f]{16}$/;

/**
 * Whether the hub of another database of this server lets this role in. A till's own is let in by its group alone: what it
 * is given itself comes from somebody else.
 */
export const isUsedElsewhere = async (run: RunSql, role: string): Promise<boolean> =>
  !isOfTill.test(role) &&
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

/** This name, or one of its own where another hub of this server has it. */
async function chooseRole(run: RunSql, usual: string): Promise<string> {
  if (!(await isUsedElsewhere(run, usual))) {
    return usual;
  }
  const [database] = await run(
    'select oid::int8 as oid from pg_catalog.pg_database where datname = current_database()',
  );
  return `${usual}_${String(database?.['oid'])}`;
}

/** The group of this hub's tills; null where there is none yet. */
async function findGroup(run: RunSql): Promise<string | null> {
  const hasGroup = await isTrue(
    run,
    `exists (select from pg_catalog.pg_attribute
      where attrelid = to_regclass('tillside_hub.meta') and attname = 'tills')`,
  );
  const [found] = hasGroup ? await run('select tills from tillside_hub.meta') : [];
  return typeof found?.['tills'] === 'string' ? found['tills'] : null;
}

async function findMembers(run: RunSql, group: string, condition = 'true'): Promise<readonly string[]> {
  const found = await run(`select r.rolname from pg_catalog.pg_auth_members t
    join pg_catalog.pg_roles g on g.oid = t.roleid
    join pg_catalog.pg_roles r on r.oid = t.member and starts_with(r.rolname, 'tillside_t')
    where g.rolname = '${group}' and ${condition}`);
  return found.map(({ rolname }) => String(rolname));
}

/**
 * Ends what the role has prepared here, which no session holds any more, and what anybody has as the tills' group, which
 * each of them may act as; outside of a transaction, after `endSessions`. A session that is back may end one first, by
 * which ours fails: then what there is now is ended.
 */
async function endPrepared(run: RunSql, role: string, tries = 20): Promise<void> {
  const failures: unknown[] = [];
  const owners = [role, (await findGroup(run)) ?? role];
  const found = await run(`select quote_literal(gid) as gid, owner, current_user::text as "user"
    from pg_catalog.pg_prepared_xacts where owner in ('${owners.join("', '")}') and database = current_database()`);
  for (const { gid, owner, user } of found) {
    // Whoever is no superuser may end no other's, but may become that other.
    await run(`set role ${String(owner)}`);
    await run(`rollback prepared ${String(gid)}`).catch((error: unknown) => failures.push(error));
    await run(`set role "${String(user).replaceAll('"', '""')}"`);
  }
  if (failures.length > 0) {
    if (tries === 1) throw failures[0];
    await endPrepared(run, role, tries - 1);
  }
}

/** Where the sessions of these roles are listed. */
const sessionsOf = (roles: readonly string[]): string =>
  `from pg_catalog.pg_stat_activity where usename = any('{${roles.join(',')}}') and pid <> pg_backend_pid()`;

/** Ends the roles' sessions, and waits for their end, but not for ever: so long in all. */
async function endSessions(run: RunSql, roles: readonly string[], waitMs = 5000): Promise<void> {
  for (const role of roles) {
    // Who made a role need not have its rights. A superuser has them, and as a member would be let in with the tills.
    if (!(await isTrue(run, `pg_has_role('${role}', 'usage')`))) {
      await run(`grant ${role} to current_user`);
    }
  }
  await run(`select pg_terminate_backend(pid) ${sessionsOf(roles)}`);
  const leftMs = `${waitMs} - 1000 * extract(epoch from clock_timestamp() - statement_timestamp())`;
  await run(`select pg_terminate_backend(pid, greatest(1, ${leftMs})::int8) ${sessionsOf(roles)}`);
}

/** Whether a session of theirs goes on all the same: it computes something within which the server looks for no signal. */
export const haveSession = (run: RunSql, roles: readonly string[]): Promise<boolean> =>
  isTrue(run, `exists (select ${sessionsOf(roles)})`);

/**
 * Ends the role's sessions, and takes from it what it owns here and whatever has been set for it. Whoever had its
 * password may have done all that to keep it from being dropped, or its next owner from working.
 */
async function emptyRole(run: RunSql, role: string): Promise<void> {
  // Those of a hub have been waited for.
  await endSessions(run, [role], 200);
  const group = await findGroup(run);
  // Which may be gone, as where the roles have not all come back with the database.
  const isThere = group !== null && group !== role && (await exists(run, group));
  if (isThere && (await isTrue(run, `pg_has_role('${group}', 'usage')`))) {
    // As their group any till may own something; what the hub gives to that stays.
    await run(`reassign owned by ${group} to ${role}`);
  }
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
}

/** Every role that terminals sign in to this hub with; those of a group that another hub uses, too, are that hub's. */
async function findAllRoles(run: RunSql): Promise<readonly string[]> {
  const shared = await findTerminalRole(run);
  const group = await findGroup(run);
  const members = group === null || (await isUsedElsewhere(run, group)) ? [] : await findMembers(run, group);
  return [...new Set([...(shared === null ? [] : [shared]), ...members])];
}

/**
 * Ends what roles have left at this hub that are gone, as that of a till that has left and stays connected, which the next
 * one drops: what it holds would hold up tills, and every command. Only a superuser may; outside of a transaction.
 */
export async function endOrphans(run: RunSql): Promise<void> {
  if (!(await isTrue(run, `current_setting('is_superuser') = 'on' and to_regnamespace('tillside_hub') is not null`))) {
    return;
  }
  await run(`select pg_terminate_backend(pid, 5000) from pg_catalog.pg_stat_activity
      where datname = current_database() and usesysid not in (select oid from pg_catalog.pg_roles)`);
  const found = await run(`select quote_literal(gid) as gid from pg_catalog.pg_prepared_xacts
    where owner is null and database = current_database()`);
  for (const { gid } of found) {
    await run(`rollback prepared ${String(gid)}`);
  }
}

/**
 * Ends the sessions of this hub's terminals, outside of a transaction: one that was opened before its end might keep a
 * password's old rights. They connect again, and learn then what the hub can do.
 */
export async function endTerminalSessions(run: RunSql): Promise<void> {
  const roles = await findAllRoles(run);
  await endSessions(run, roles);
  for (const role of roles) await endPrepared(run, role);
}

/**
 * Whoever comes back at once may hold the role itself, by another password for it. So one connection waits for it, and those
 * who come later wait behind that one; the other ends what was there before.
 */
async function closeRole(run: RunSql, beside: RunSql, role: string, tries = 20): Promise<void> {
  const closing = new AbortController();
  const closed = run(`do $$ begin
      perform set_config('lock_timeout', '5s', true);
      alter role ${role} nologin;
    end $$`).finally(() => closing.abort());
  const ended = async (): Promise<void> => {
    await endSessions(beside, [role], 200);
    await endPrepared(beside, role);
    if (!closing.signal.aborted) {
      await ended();
    }
  };
  const [failed] = (await Promise.allSettled([closed, ended()])).filter(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    if (tries === 1) throw failed.reason;
    await closeRole(run, beside, role, tries - 1);
  }
}

/**
 * Lets nobody sign in with these roles any more, and ends their sessions; outside of a transaction, with another
 * connection `beside` this one.
 */
export async function closeRoles(run: RunSql, beside: RunSql, roles: readonly string[]): Promise<void> {
  const own: string[] = [];
  for (const role of roles) {
    if (!(await isUsedElsewhere(run, role))) own.push(role);
  }
  // They may hold every lock that the server has: without one no role is altered.
  await endSessions(run, own);
  for (const role of own) await endPrepared(run, role);
  for (const role of own) await closeRole(run, beside, role);
  await endSessions(run, own);
  for (const role of own) await endPrepared(run, role);
}

/** Goes on as the hub's owner, whose the functions are to stay, where somebody else may. */
export async function actAsOwner(run: RunSql): Promise<void> {
  const [found] = await run(`select quote_ident(r.rolname) as owner from pg_catalog.pg_namespace n
    join pg_catalog.pg_roles r on r.oid = n.nspowner
    where n.nspname = 'tillside_hub' and r.rolname <> current_user and pg_has_role(r.oid, 'member')`);
  if (found !== undefined) {
    await run(`set role ${String(found['owner'])}`);
  }
}

export interface MadeRole {
  readonly role: string;
  readonly group: string;
  /** Its password is the one of the verifier. */
  readonly isNew: boolean;
}

/** The hub's group, made where there is none; whoever was in one that an earlier hub has left behind is so no more. */
async function makeGroup(run: RunSql): Promise<string> {
  const found = await findGroup(run);
  const group = found ?? (await chooseRole(run, tillsRole));
  if (!(await exists(run, group))) {
    await run(`create role ${group}`);
  } else if (found === null) {
    for (const role of await findMembers(run, group)) {
      await run(`revoke ${group} from ${role}`);
    }
  }
  if (found === null) {
    await run(`update tillside_hub.meta set tills = '${group}'`);
  }
  for (const role of await findUnlisted(run)) {
    await run(`insert into tillside_hub.tills (role, name, has_arrived) values ('${role}', '${role}', true)`);
  }
  // Up to PostgreSQL 15 a backup names who put them there, and newer ones take that of the first superuser alone.
  for (const { role } of await findTills(run)) {
    if (!(await isTrue(run, `pg_has_role('${role}', '${group}', 'member')`))) {
      await run(`grant ${group} to ${role}`);
    }
  }
  return group;
}

/**
 * Makes the terminals' role where this database's hub has none, or where it is to be `anew`. One that is there then gets
 * the new password, and keeps nothing. The verifier is what PostgreSQL keeps of a password. Within a transaction, after
 * `migrateHub`.
 */
export async function makeTerminalRole(run: RunSql, verifier: string, isAnew = false): Promise<MadeRole> {
  const found = await findTerminalRole(run);
  const role = found ?? (await chooseRole(run, terminalRole));
  const isNew = found === null || isAnew;
  if (isNew) {
    if (await exists(run, role)) {
      await emptyRole(run, role);
    } else {
      await run(`create role ${role}`);
    }
    await run(`alter role ${role} password '${verifier}'`);
  }
  for (const [name, value] of Object.entries(ownSettings)) {
    await run(`alter role ${role} set ${name} = '${value}'`);
  }
  const group = await makeGroup(run);
  // A quarter of all connections is left to those with a role of their own, and to the owner.
  await run(`do $$ begin
      execute 'alter role ${role} login connection limit ' || current_setting('max_connections')::int * 3 / 4;
    end $$;
    grant ${group} to ${role};
    grant execute on function tillside_hub.hub_join(text, text) to ${role};
    grant execute on function tillside_hub.hub_arrive() to ${group};
    grant execute on function tillside_hub.hub_follow(text), tillside_hub.hub_leave() to ${group}`);
  for (const one of [role, group]) {
    // Whoever keeps a server takes from everybody what PostgreSQL gives to everybody.
    await run(`do $$ begin
        if not has_database_privilege('${one}', current_database(), 'connect') then
          execute format('grant connect on database %I to ${one}', current_database());
        end if;
      end $$;
      grant usage on schema tillside_hub to ${one};
      grant execute on function tillside_hub.hub_read(text) to ${one};
      grant execute on function tillside_hub.hub_write(text, bigint, float8, text) to ${one};
      grant execute on function tillside_hub.hub_read_rows(text, bigint) to ${one};
      grant execute on function tillside_hub.hub_write_rows(text, bigint, float8, text, text[], text[]) to ${one}`);
  }
  return { role, group, isNew };
}

/**
 * Takes from everybody what PostgreSQL gives to everybody and a till needs not: temporary tables, large objects, locks of
 * one's own, and up to PostgreSQL 14 tables in "public". Where others have tables that is theirs to say. Large objects and
 * locks are a superuser's to refuse; whoever owns the database or the hub keeps the lock of set-ups. So is what a till makes
 * itself: PostgreSQL waits for the table of a rule before it looks who makes it, and everybody waits behind that, at one of
 * its own tables also to sign in. Answers whether all locks are refused. Within a transaction, after `makeTerminalRole`.
 */
export async function refuseTheNeedless(run: RunSql, role: string): Promise<boolean> {
  await run(`do $$ declare one text; begin
    if not exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where n.nspname <> all (array['tillside_hub', 'information_schema']) and not starts_with(n.nspname, 'pg_')) then
      if has_schema_privilege('${role}', to_regnamespace('public'), 'create') then
        revoke create on schema public from public;
      end if;
      execute format('revoke temporary on database %I from public', current_database());
      if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        if not exists (select from pg_catalog.pg_largeobject_metadata) then
          revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public;
        end if;
        for one in select p.oid::regprocedure from pg_catalog.pg_proc p
          where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^pg_(try_)?advisory_(xact_)?lock'
        loop
          execute format('revoke execute on function %s from public', one);
        end loop;
        for one in select d.datdba::regrole from pg_catalog.pg_database d where d.datname = current_database()
          union select n.nspowner::regrole from pg_catalog.pg_namespace n where n.nspname = 'tillside_hub'
        loop
          execute format('grant execute on function pg_advisory_xact_lock(bigint) to %s', one);
        end loop;
      end if;
    end if;
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
      create or replace function tillside_hub.keep_made() returns event_trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $function$
      begin
        if session_user ~ '^(${terminalRole}|${tillsRole})(_|$)' then
          raise exception 'a till makes nothing' using errcode = '42501';
        end if;
      end $function$;
      -- The hub's owner may have made it first, and superusers run it.
      alter function tillside_hub.keep_made() owner to current_user;
      revoke execute on function tillside_hub.keep_made() from public;
      if not exists (select from pg_catalog.pg_event_trigger where evtname = 'tillside_hub') then
        create event trigger tillside_hub on ddl_command_start execute function tillside_hub.keep_made();
      end if;
    end if;
  end $$`);
  return isTrue(
    run,
    `not has_function_privilege('${role}', 'pg_advisory_lock(bigint)', 'execute')
      and exists (select from pg_catalog.pg_event_trigger where evtname = 'tillside_hub')`,
  );
}

/**
 * Empties the hub, within a transaction. It counts as used, whatever an old copy of it says: nothing is lent before all
 * that was lent has run out.
 */
export async function emptyHub(run: RunSql): Promise<void> {
  await run(`delete from tillside_hub.accounts; update tillside_hub.meta set is_unused = false;
    do $$ begin
      if to_regclass('tillside_hub.members') is not null then delete from tillside_hub.members; end if;
    end $$`);
}

/** The roles that go with this database's hub, or that an earlier one has left behind; the group is the last. */
export async function findRolesToRemove(run: RunSql): Promise<readonly string[]> {
  const found = await findAllRoles(run);
  const group = await findGroup(run);
  if (found.length > 0) {
    return [...found, ...(group === null || !(await exists(run, group)) ? [] : [group])];
  }
  const members = (await isUsedElsewhere(run, tillsRole)) ? [] : await findMembers(run, tillsRole);
  const left: string[] = [];
  for (const role of new Set([terminalRole, ...members, tillsRole])) {
    if ((await exists(run, role)) && !(await isUsedElsewhere(run, role))) left.push(role);
  }
  return left;
}

/** A till's own role, and the name that the till has said. */
export interface TillRole {
  readonly role: string;
  readonly name: string;
}

/** The tills that have joined after the backup from which the database has come back: the server let them in as before. */
async function findUnlisted(run: RunSql): Promise<readonly string[]> {
  const group = await findGroup(run);
  if (group === null || (await isUsedElsewhere(run, group))) {
    return [];
  }
  // In one question: a till may join meanwhile. One that was removed and stays, as it owns something elsewhere, cannot sign in.
  const found = await findMembers(
    run,
    group,
    'r.rolcanlogin and not exists (select from tillside_hub.tills l where l.role = r.rolname)',
  );
  return found.filter((role) => isOfTill.test(role));
}

/**
 * Every till with a role of its own, by name, or by that role where its name is lost, but those that have left by
 * themselves: one that has said so and has not gone is none of these.
 */
export async function findTills(run: RunSql): Promise<readonly TillRole[]> {
  const found =
    (await findGroup(run)) === null
      ? []
      : await run(`select t.role, t.name from tillside_hub.tills t join pg_catalog.pg_roles r on r.rolname = t.role
          where t.has_arrived or r.rolcanlogin
            or exists (select from pg_catalog.pg_stat_activity a where a.usename = t.role)
            or exists (select from pg_catalog.pg_prepared_xacts p where p.owner = t.role)
          order by 2`);
  const listed = found.map(({ role, name }) => ({ role: String(role), name: String(name) }));
  return [...listed, ...(await findUnlisted(run)).map((role) => ({ role, name: role }))];
}

/**
 * Removes a role, within a transaction, after what the hub gives it. `used`: another hub needs it, and it stays as it is.
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
