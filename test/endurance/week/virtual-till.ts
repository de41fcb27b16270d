import type { Channel, InvokeInput, InvokeOutput } from '../../../app/contract/contract.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Result } from '../../../app/domain/result.ts';
import { checkEvent, dispatch } from '../../../app/hosts/dispatch.ts';
import { openLog } from '../../../app/hosts/node/log-file.ts';
import type { Clock, Ports, Timer } from '../../../app/ports.ts';
import { openTerminal } from '../../../app/terminal/terminal.ts';
import { applications, places, users } from '../../../app/training/data/world.ts';
import { createMachine, type Machine } from '../../simulation/machine.ts';
import type { Trace } from '../../simulation/trace.ts';
import { createWorld, type World } from '../../simulation/virtual-clock.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { settingsFileIn } from '../terminal-on-files.ts';
import { createWeekNetwork, type WeekNetwork } from './network.ts';
import type { WeekPlatform } from './platform.ts';

export interface VirtualTill {
  readonly world: World;
  readonly machine: Machine;
  readonly network: WeekNetwork;
  readonly folder: string;
  readonly clock: Clock;
  /** The newest snapshot. */
  state(): TerminalState | null;
  /** Calls as a host does; throws when the answer is no one of the contract's. */
  call<Name extends Channel>(channel: Name, input: InvokeInput<Name>): Promise<Result<InvokeOutput<Name>, Failure>>;
  signIn(): Promise<boolean>;
  /** Timers of the terminal that have neither fired nor been cancelled. */
  pendingTimers(): number;
  /** Errors that a timer threw, and those in the log. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
}

const noTrace: Trace = { add: () => undefined, lines: () => [], hash: () => '' };
const maxTroubles = 20;
const waitStepMs = 1000;

/** The clock, and how many of its timers are pending. */
function counted(clock: Clock): { readonly clock: Clock; pending(): number } {
  const pending = new Set<Timer>();
  return {
    pending: () => pending.size,
    clock: {
      ...clock,
      after: (delayMs, callback) => {
        const inner = clock.after(delayMs, () => {
          pending.delete(timer);
          callback();
        });
        const timer: Timer = {
          cancel: () => {
            pending.delete(timer);
            inner.cancel();
          },
        };
        pending.add(timer);
        return timer;
      },
    },
  };
}

/** Opens a terminal on real files, in the simulation's machine and time. The folder is empty. */
export async function openVirtualTill(
  root: string,
  random: SeededRandom,
  platform: WeekPlatform,
): Promise<VirtualTill> {
  const world = createWorld();
  const network = createWeekNetwork(world, random.fork('network'), platform);
  const troubles: string[] = [];
  const trouble = (what: string): void => {
    if (troubles.length < maxTroubles) {
      troubles.push(what);
    }
  };
  const machine = createMachine({
    world,
    random: random.fork('machine'),
    trace: noTrace,
    network: {
      exchanges: [],
      refusals: [],
      conditions: { isOutage: false, latencyMs: [0, 0], fates: {} },
      watch: () => undefined,
      send: network.send,
    },
    root,
    onCrash: () => undefined,
    onThrow: (error) => {
      trouble(error instanceof Error ? (error.stack ?? error.message) : String(error));
    },
    inspect: () => undefined,
  });
  const { ports: given } = machine.begin();
  const folder = given.shell.dataDirectory;
  const timers = counted(given.clock);
  const { clock } = timers;
  const { write } = openLog({ dataDirectory: folder, now: () => clock.now() });
  const log: Ports['shell']['log'] = (level, message, details) => {
    write(level, message, details);
    if (level === 'error') {
      trouble(`${message} ${JSON.stringify(details ?? {})}`);
    }
  };
  const ports: Ports = { ...given, clock, settingsFile: settingsFileIn(folder), shell: { ...given.shell, log } };
  const [{ clientId, clientSecret }] = applications;

  async function whileTimePasses<Value>(action: Promise<Value>): Promise<Value> {
    const progress = { isOver: false };
    const note = (): void => {
      progress.isOver = true;
    };
    action.then(note, note);
    await world.settle();
    while (!progress.isOver) {
      await world.runUntil(world.nowMs() + waitStepMs, () => progress.isOver);
    }
    return action;
  }

  const terminal = await whileTimePasses(
    openTerminal(ports, {
      provision: {
        profile: {
          platformUrl: 'https://platform.example.com',
          clientId,
          companyId: places.companyId,
          stockIds: [places.stockIds[0]],
        },
        clientSecret,
        // Finished updates are kept for a day, so that the queue is full after the first.
        settings: { queueLimits: { historyDays: 1, askAfterHours: 72 } },
      },
    }),
  );
  let state: TerminalState | null = null;
  const hear: Parameters<typeof terminal.subscribe>[0] = (event, payload) => {
    JSON.stringify(checkEvent(event, payload, log));
    if (event === 'terminal:changed') {
      state = payload as TerminalState;
    }
  };
  terminal.subscribe(hear);
  const call: VirtualTill['call'] = async (channel, input) => {
    const answer = await dispatch(terminal.handlers, channel, input, log);
    JSON.stringify(answer);
    return answer as Result<InvokeOutput<typeof channel>, Failure>;
  };
  return {
    world,
    machine,
    network,
    folder,
    clock,
    state: () => state,
    call,
    signIn: async () => {
      const [{ email, password }] = users;
      const answer = await whileTimePasses(call('session:signIn', { email, password }));
      return answer.ok && answer.value.passed;
    },
    pendingTimers: timers.pending,
    troubles,
    close: () => whileTimePasses(terminal.close()),
  };
}
