import { join } from 'node:path';
import type { Channel } from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, type Result } from '../../app/domain/result.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import { checkEvent, dispatch } from '../../app/hosts/dispatch.ts';
import type { Http, HttpRequest, HttpResponse, Ports, Timer } from '../../app/ports.ts';
import { createCheckpointThread } from '../../app/storage/checkpoint-thread.ts';
import { openTerminal } from '../../app/terminal/terminal.ts';
import { createWorld, type World } from '../simulation/virtual-clock.ts';
import { makeSettingsFile, makeShell, makeVault } from '../support/ports.ts';

const epochMs = Date.UTC(2025, 5, 2, 12);
const platformName = 'the platform';

/** One happening, and how long it kept the process busy. */
export interface Step {
  readonly name: string;
  readonly wallMs: number;
  /** The processor's time alone: without the waits for the disk, and for other programs. */
  readonly cpuMs: number;
}

interface BusyTerminal {
  readonly world: World;
  /** The newest snapshot. */
  state(): TerminalState | null;
  call(channel: Channel, input: unknown): Promise<Result<unknown, Failure>>;
  /** Calls back with every event but the snapshot. */
  onEvent(listener: (event: string) => void): void;
  /** Lets something happen that is measured under this name. */
  happen(name: string, delayMs: number, callback: () => void): Timer;
  /** Lets the world go on until this is so. Throws when that takes more than so many milliseconds of its time. */
  until(isSo: () => boolean, maxMs: number): Promise<void>;
  /** The steps since the last `forget`, the platform's own work left out. */
  steps(): readonly Step[];
  forget(): void;
  close(): Promise<void>;
}

interface BusyOptions {
  readonly directory: string;
  readonly platformUrl: string;
  readonly companyId: Id;
  readonly stockId: Id;
  readonly send: (request: HttpRequest) => Result<HttpResponse, Failure>;
}

/** The time that a platform's `Date` header gives. */
export function platformDate(): string {
  return new Date(epochMs).toUTCString();
}

/** A request is answered in the world's time; the platform's own work is not the terminal's. */
function httpOf(
  send: BusyOptions['send'],
  happen: (what: string, delayMs: number, callback: () => void) => Timer,
): Http {
  return {
    send: (request) =>
      new Promise((resolve) => {
        // Its slot is put on disk.
        const refusal = request.onLeaving?.() ?? null;
        if (refusal !== null) {
          resolve(fail(refusal));
          return;
        }
        happen(platformName, 20, () => {
          const answer = send(request);
          happen(`the answer to ${request.method} ${new URL(request.url).pathname}`, 0, () => {
            resolve(answer);
          });
        });
      }),
  };
}

/** Opens the terminal in this folder. */
export async function openBusyTerminal({
  directory,
  platformUrl,
  companyId,
  stockId,
  send,
}: BusyOptions): Promise<BusyTerminal> {
  const openedAtMs = performance.now();
  const world = createWorld();
  const steps: Step[] = [];
  const listeners: ((event: string) => void)[] = [];
  let name = '';
  let state: TerminalState | null = null;
  let number = 0;

  function happen(what: string, delayMs: number, callback: () => void): Timer {
    return world.after(delayMs, () => {
      name = what;
      callback();
    });
  }

  // As the hosts have it. While the thread is at work in real time, the time of this world stands still, and none of it
  // is the process's.
  const checkpoints = createCheckpointThread({
    workerPath: join(import.meta.dirname, '../../app/storage/checkpoint-worker.ts'),
    clock: createNodeClock(),
    log: () => undefined,
  });
  let held: Promise<unknown> | null = null;
  function checkpoint(path: string): Promise<boolean> {
    const done = checkpoints.checkpoint(path);
    held = done;
    return new Promise((resolve) => {
      void done.then((isDone) => {
        happen('the checkpoint is over', 0, () => {
          resolve(isDone);
        });
      });
    });
  }

  const ports: Ports = {
    clock: {
      now: () => epochMs + world.nowMs(),
      // A step's time counts as uptime as well.
      uptimeMs: () => 86_400_000 + world.nowMs() + performance.now() - openedAtMs,
      after: (delayMs, callback) => happen('a timer', delayMs, callback),
    },
    random: { uuid: () => `00000000-0000-4000-8000-${String((number += 1)).padStart(12, '0')}`, fraction: () => 0.5 },
    http: httpOf(send, happen),
    vault: makeVault(),
    settingsFile: makeSettingsFile(),
    shell: makeShell(directory, { checkpoint }),
  };

  let lastWallMs = openedAtMs;
  let lastCpu = process.threadCpuUsage();
  const terminal = await openTerminal(ports, {
    provision: {
      profile: { platformUrl, companyId, clientId: 'client', stockIds: [stockId] },
      clientSecret: 'secret',
      language: 'en',
    },
  });
  terminal.subscribe((event, payload) => {
    const checked = checkEvent(event, payload, () => undefined);
    JSON.stringify(checked);
    if (event === 'terminal:changed') {
      state = payload as TerminalState;
    }
    for (const listener of listeners) {
      listener(event);
    }
  });
  return {
    world,
    state: () => state,
    call: async (channel, input) => {
      const answer = await dispatch(terminal.handlers, channel, input, () => undefined);
      JSON.stringify(answer);
      return answer;
    },
    onEvent: (listener) => {
      listeners.push(listener);
    },
    happen,
    until: async (isSo, maxMs) => {
      name = 'nothing';
      [lastWallMs, lastCpu] = [performance.now(), process.threadCpuUsage()];
      const endMs = world.nowMs() + maxMs;
      const note = (): boolean => {
        const { user, system } = process.threadCpuUsage(lastCpu);
        steps.push({ name, wallMs: performance.now() - lastWallMs, cpuMs: (user + system) / 1000 });
        const isOver = isSo();
        [lastWallMs, lastCpu] = [performance.now(), process.threadCpuUsage()];
        return isOver || held !== null;
      };
      await world.runUntil(endMs, note);
      while (held !== null) {
        await held;
        held = null;
        [lastWallMs, lastCpu] = [performance.now(), process.threadCpuUsage()];
        await world.runUntil(endMs, note);
      }
      if (!isSo()) {
        throw new Error(`it did not come to pass: ${JSON.stringify(state)}`);
      }
    },
    steps: () => steps.filter((step) => step.name !== platformName),
    forget: () => {
      steps.length = 0;
    },
    close: async () => {
      const closing = terminal.close();
      await world.settle();
      await closing;
      await checkpoints.close();
    },
  };
}
