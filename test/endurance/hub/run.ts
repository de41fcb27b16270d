// A shop's hub under faults: one process a till on a real server, and a judge who believes none of them. Rules, cited by
// the tests:
//   J1  No 60 s see more than 60 requests of all tills at the platform.
//   J2  Once all is healthy again, every till shares, and knows the same members.
//   J3  Then a person waits a second at most.
//   J4  Whatever happened since, every till has followed to the newest key.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { printHubAddress, readHubAddress, type HubAddress } from '../../../app/hub/address.ts';
import { connectPg } from '../../../app/hosts/hub/pg-connection.ts';
import { runHubCommand } from '../../../app/hosts/hub/set-up.ts';
import { terminalRole } from '../../../app/hub/roles.ts';
import type { HubCommand } from '../../../app/hosts/flags.ts';
import { listenLocally } from '../../support/listen.ts';
import { startPostgres, type Postgres } from '../../support/postgres.ts';
import { createSeededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { ownerAddressOf, setUpHub } from '../../support/set-up-hub.ts';
import { maxInWindow } from '../judge.ts';
import type { FromTill, ToTill } from './till.ts';

interface HubRunOptions {
  readonly seed: string;
  /** For how long faults come; what follows is the recovery. */
  readonly seconds: number;
  readonly tills: number;
  /** The data are lost, too: the recovery then takes five minutes. */
  readonly losesData: boolean;
  readonly folder: string;
  /** A planted bug: the tills ask no hub. */
  readonly isSelfish?: boolean;
  readonly note?: (line: string) => void;
}

export interface HubReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly maxInWindow: number;
  /** How long persons waited once all was healthy again, in milliseconds. */
  readonly waits: readonly number[];
  readonly violations: readonly string[];
}

const limit = 60;
/** A machine with other work to do takes several times as long. */
const followWithinMs = 120_000;
const joinWithinMs = 120_000;
const shareWithinMs = 180_000;
const module = (name: string): string => resolve(import.meta.dirname, name);

/** The way of one till to the server, which can be cut. */
async function openLine(to: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    if (isCut) {
      near.destroy();
    } else {
      near.pipe(far);
      far.pipe(near);
    }
  });
  const port = await listenLocally(server);
  return {
    port,
    cut: (cut: boolean): void => {
      isCut = cut;
      for (const socket of cut ? sockets : []) socket.destroy();
    },
    close: (): void => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** One till's machine: its disk, its line and, while it runs, its process. */
async function openMachine(
  name: string,
  folder: string,
  address: HubAddress,
  isSelfish: boolean,
  onTell: (message: FromTill) => void,
) {
  const line = await openLine(address.port);
  mkdirSync(folder, { recursive: true });
  const addressFile = join(folder, 'address');
  const paste = (given: HubAddress): void => {
    writeFileSync(addressFile, printHubAddress({ ...given, port: line.port }));
  };
  const kept = (): HubAddress | null => {
    const read = readHubAddress(readFileSync(addressFile, 'utf8'));
    return read.ok ? read.value : null;
  };
  paste(address);
  let child: ChildProcess | null = null;
  const machine = {
    name,
    line,
    state: null as Extract<FromTill, { kind: 'state' }> | null,
    isStopped: false,
    tell: (message: ToTill): void => {
      if (child?.connected === true) child.send(message, () => undefined);
    },
    start: (): void => {
      if (child !== null) return;
      const started = fork(module('till.ts'), [folder, name, ...(isSelfish ? ['selfish'] : [])], {
        execArgv: [
          '--import',
          pathToFileURL(module('../with-parent.ts')).href,
          '--disable-warning=ExperimentalWarning',
        ],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child = started;
      started.on('message', (message: FromTill) => {
        if (message.kind === 'state') machine.state = message;
        onTell(message);
      });
    },
    /** Stops or continues it. */
    stop: (isStopped: boolean): void => {
      machine.isStopped = isStopped;
      child?.kill(isStopped ? 'SIGSTOP' : 'SIGCONT');
    },
    kill: async (): Promise<void> => {
      const ended = child;
      child = null;
      machine.state = null;
      machine.isStopped = false;
      if (ended !== null && ended.exitCode === null && ended.signalCode === null) {
        const gone = once(ended, 'exit');
        ended.kill('SIGKILL');
        await gone;
      }
    },
    isRunning: (): boolean => child !== null,
    storeKey: (): string => kept()?.storeKey ?? '',
    /** Without one it cannot follow, and somebody has to paste the new address. */
    hasOwnSignIn: (): boolean => kept()?.user.startsWith(terminalRole) === false,
    paste,
  };
  return machine;
}

type Machine = Awaited<ReturnType<typeof openMachine>>;

/** The server as its owner treats it. */
function ownerOf(postgres: Postgres) {
  const query = async (sql: string): Promise<void> => {
    const signal = AbortSignal.timeout(20_000);
    const connection = await connectPg(postgres.owner, signal);
    try {
      await connection.query(sql, [], signal);
    } finally {
      await connection.end(signal);
    }
  };
  return {
    query,
    command: (action: HubCommand['action'], environment: Readonly<Record<string, string>> = {}) =>
      runHubCommand(
        { action, ownerAddress: ownerAddressOf(postgres.owner), isConfirmed: true },
        { language: 'en', environment },
      ),
    /** The hub's functions read a clock that can be set. */
    makeClock: (): Promise<void> =>
      query(`create table public.clock as select interval '0' as ahead;
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
        create table public.backup_members as select * from tillside_hub.members`),
    setClock: (seconds: number): Promise<void> => query(`update public.clock set ahead = interval '1 s' * ${seconds}`),
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

interface Shop {
  readonly random: SeededRandom;
  readonly postgres: Postgres;
  readonly owner: ReturnType<typeof ownerOf>;
  readonly machines: readonly Machine[];
  address: HubAddress;
}

/** The tills that nothing keeps from the hub. */
const inTouch = ({ machines }: Shop, cut: ReadonlySet<Machine>): Machine[] =>
  machines.filter((machine) => machine.isRunning() && !machine.isStopped && !cut.has(machine));

/** What may happen, and how it ends; each answers what goes wrong with it, or nothing. */
function createFaults(shop: Shop, violations: string[], mostMs: number) {
  const { random, postgres, owner, machines } = shop;
  const cut = new Set<Machine>();
  const onTill = async (begin: (till: Machine) => unknown, end: (till: Machine) => unknown) => {
    const till = random.pick(machines);
    await begin(till);
    await sleep(random.integer(1_000, mostMs));
    await end(till);
  };
  return {
    kill: () =>
      onTill(
        (till) => till.kill(),
        (till) => {
          till.start();
        },
      ),
    stop: () =>
      onTill(
        (till) => {
          till.stop(true);
        },
        (till) => {
          till.stop(false);
        },
      ),
    partition: () =>
      onTill(
        (till) => {
          cut.add(till);
          till.line.cut(true);
        },
        (till) => {
          till.line.cut(false);
          cut.delete(till);
        },
      ),
    restart: async () => {
      await postgres.kill();
      await sleep(random.integer(0, mostMs / 6));
      await postgres.start();
    },
    freeze: async () => {
      postgres.freeze();
      await sleep(random.integer(1_000, mostMs / 3));
      postgres.thaw();
    },
    clock: () => owner.setClock(random.pick([-3_600, 3_600, 86_400, -86_400, 0, random.integer(-100, 100)])),
    newAddress: async () => {
      const before = inTouch(shop, cut);
      const { lines, exitCode } = await owner.command('newAddress', {
        TILLSIDE_HUB_ADDRESS: printHubAddress(shop.address),
      });
      const read = readHubAddress(lines.at(-1) ?? '');
      if (exitCode !== 0 || !read.ok) {
        violations.push(`J4 no new address: ${lines.join(' ')}`);
        return;
      }
      shop.address = read.value;
      for (const till of machines.filter((machine) => !machine.hasOwnSignIn())) {
        const isRunning = till.isRunning();
        await till.kill();
        till.paste(read.value);
        if (isRunning) till.start();
      }
      const behind = (): Machine[] =>
        inTouch(shop, cut).filter((till) => before.includes(till) && till.storeKey() !== read.value.storeKey);
      const endMs = performance.now() + followWithinMs;
      while (behind().length > 0 && performance.now() < endMs) await sleep(500);
      const left = behind();
      if (left.length > 0) {
        violations.push(`J4 after two minutes ${left.map(({ name }) => name).join(', ')} had not followed`);
      }
    },
    empty: () => owner.command('reset'),
    backUp: () => owner.backUp(),
    restore: () => owner.restore(),
  };
}

const weights = { kill: 5, stop: 4, partition: 5, restart: 2, freeze: 3, clock: 3, newAddress: 1 };
const lossWeights = { ...weights, empty: 1, backUp: 3, restore: 2 };

/** Faults, a few at once, for so long; those of the server come one after another. */
async function spoil(
  shop: Shop,
  { seconds, losesData, note }: HubRunOptions,
  violations: string[],
  isOverLimit: () => boolean,
) {
  const faults = createFaults(shop, violations, losesData ? 60_000 : 6_000);
  const counts: Record<string, number> = {};
  const under = new Set<Promise<unknown>>();
  const endMs = performance.now() + seconds * 1_000;
  while (performance.now() < endMs && !isOverLimit()) {
    await sleep(shop.random.waitMs(losesData ? 8_000 : 1_500));
    const kind = shop.random.pickWeighted(losesData ? lossWeights : weights);
    counts[kind] = (counts[kind] ?? 0) + 1;
    note?.(kind);
    const fault = faults[kind]().catch((error: unknown) => {
      violations.push(`the fault ${kind} could not be made: ${String(error)}`);
    });
    under.add(fault.finally(() => under.delete(fault)));
    if (!['kill', 'stop', 'partition'].includes(kind)) await fault;
  }
  await Promise.all(under);
  if (!isOverLimit() && counts['newAddress'] === undefined) {
    await faults.newAddress();
    counts['newAddress'] = 1;
  }
  return counts;
}

/** Waits until every till shares, and all know the same members; answers what is missing at the end. */
async function recover(shop: Shop, withinMs: number): Promise<string | null> {
  const missing = (): string | null => {
    const states = shop.machines.map(({ name, state }) => ({ name, state }));
    const all = shop.machines
      .map(({ name }) => name)
      .toSorted()
      .join();
    const wrong = states.filter(
      ({ state }) => state?.mode !== 'shared' || state.failure !== null || state.members.toSorted().join() !== all,
    );
    return wrong.length === 0 ? null : JSON.stringify(wrong);
  };
  const endMs = performance.now() + withinMs;
  while (missing() !== null && performance.now() < endMs) await sleep(500);
  return missing();
}

/** Plays a shop and judges it. */
export async function runHub(options: HubRunOptions): Promise<HubReport> {
  const random = createSeededRandom(options.seed);
  const postgres = await startPostgres({ settings: ['fsync = off', 'max_connections = 60'] });
  const machines: Machine[] = [];
  const violations: string[] = [];
  const arrivedMs: number[] = [];
  let waits: number[] = [];
  try {
    const owner = ownerOf(postgres);
    const { address } = await setUpHub(postgres.owner);
    await owner.makeClock();
    const hear = (message: FromTill, till: () => Machine | undefined): void => {
      if (message.kind === 'waited') waits.push(message.ms);
      if (message.kind !== 'leaves') return;
      // One in a hundred is held up on its way, and its answer never comes.
      const isHeldUp = random.chance(0.01);
      setTimeout(
        () => {
          arrivedMs.push(performance.now());
          if (!isHeldUp) till()?.tell({ kind: 'answer', id: message.id });
        },
        isHeldUp ? random.integer(0, 100_000) : random.integer(1, 200),
      );
    };
    for (let number = 1; number <= options.tills; number += 1) {
      const name = `till-${number}`;
      const machine: Machine = await openMachine(
        name,
        join(options.folder, name),
        address,
        options.isSelfish === true,
        (message) => {
          hear(message, () => machines.find((one) => one.name === name));
        },
      );
      machines.push(machine);
      machine.start();
    }
    const shop: Shop = { random, postgres, owner, machines, address };
    let isBackground = true;
    const work = setInterval(() => {
      for (const machine of machines) {
        machine.tell({ kind: 'background', isOn: isBackground });
        if (random.chance(1 / 15)) machine.tell({ kind: 'person' });
      }
    }, 1_000);
    if (options.isSelfish !== true) await recover(shop, joinWithinMs);
    const mostNow = (): number => maxInWindow(arrivedMs.toSorted((one, other) => one - other));
    const faults = await spoil(shop, options, violations, () => mostNow() > limit);
    isBackground = false;
    if (mostNow() <= limit) {
      options.note?.('recovering');
      // What was lent before a loss counts for up to 284 s, and for two minutes more what was held up.
      const left = await recover(shop, options.losesData ? 600_000 : shareWithinMs);
      if (left !== null) violations.push(`J2 ${left}`);
      options.note?.('recovered');
      // Of the background's slots all are over then, and of a request that was held up, too.
      if (options.losesData) await sleep(330_000);
      waits = [];
      await sleep(options.losesData ? 60_000 : 10_000);
      const late = waits.filter((ms) => ms > 1_000);
      if (options.losesData && late.length > 0) {
        violations.push(`J3 ${late.length} persons waited up to ${Math.max(...late)} ms`);
      }
      const behind = machines.filter((machine) => machine.storeKey() !== shop.address.storeKey);
      if (behind.length > 0) violations.push(`J4 ${behind.map(({ name }) => name).join(', ')} have an earlier key`);
    }
    clearInterval(work);
    const most = mostNow();
    if (most > limit) violations.push(`J1 ${most} requests in 60 s`);
    return { faults, requests: arrivedMs.length, maxInWindow: most, waits, violations };
  } finally {
    postgres.thaw();
    await Promise.all(machines.map((machine) => machine.kill()));
    for (const { line } of machines) line.close();
    await postgres.remove();
  }
}
