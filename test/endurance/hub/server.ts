import { connectPg } from '../../../app/hosts/hub/pg-connection.ts';
import { runHubCommand } from '../../../app/hosts/hub/set-up.ts';
import type { HubCommand } from '../../../app/hosts/flags.ts';
import type { HubAddress } from '../../../app/hub/address.ts';
import { startPostgres } from '../../support/postgres.ts';
import { ownerAddressOf, setUpHub } from '../../support/set-up-hub.ts';

/** A server that is a hub, as its owner treats it. */
export async function openServer() {
  const postgres = await startPostgres({ settings: ['fsync = off', 'max_connections = 60'] });
  const query = async (sql: string): Promise<void> => {
    const signal = AbortSignal.timeout(20_000);
    const connection = await connectPg(postgres.owner, signal);
    try {
      await connection.query(sql, [], signal);
    } finally {
      await connection.end(signal);
    }
  };
  const { address } = await setUpHub(postgres.owner);
  // The hub's functions read a clock that can be set.
  await query(`create table public.clock as select interval '0' as ahead;
    create function public.hub_clock() returns timestamptz language sql volatile security definer
      as $$ select clock_timestamp() + ahead from public.clock $$;
    do $$ declare one oid; begin
      for one in select oid from pg_proc where pronamespace = 'tillside_hub'::regnamespace
        and prosrc like '%clock_timestamp()%' and proname like 'hub_%'
      loop
        execute replace(pg_get_functiondef(one), 'clock_timestamp()', 'public.hub_clock()');
      end loop;
    end $$;
    create table public.backup_accounts as select * from tillside_hub.accounts;
    create table public.backup_members as select * from tillside_hub.members`);
  return {
    postgres,
    /** As it is now: it changes with each new address. */
    address,
    command: (command: Pick<HubCommand, 'action' | 'till'>, environment: Readonly<Record<string, string>> = {}) =>
      runHubCommand(
        { ...command, ownerAddress: ownerAddressOf(postgres.owner), isConfirmed: true },
        { language: 'en', environment },
      ),
    setClock: (seconds: number): Promise<void> => query(`update public.clock set ahead = interval '1 s' * ${seconds}`),
    /** A row that nobody can read any more. */
    spoilRow: (): Promise<void> =>
      query(`update tillside_hub.members set record = 'spoiled'
        where (account, member) in (select account, member from tillside_hub.members order by random() limit 1)`),
    backUp: (): Promise<void> =>
      query(`begin; truncate public.backup_accounts, public.backup_members;
        insert into public.backup_accounts select * from tillside_hub.accounts;
        insert into public.backup_members select * from tillside_hub.members; commit`),
    restore: (): Promise<void> =>
      query(`begin; delete from tillside_hub.accounts; delete from tillside_hub.members;
        insert into tillside_hub.accounts select * from public.backup_accounts;
        insert into tillside_hub.members select * from public.backup_members; commit`),
  };
}

export type HubServer = Omit<Awaited<ReturnType<typeof openServer>>, 'address'> & { address: HubAddress };
