import { rmSync } from 'node:fs';
import {
  events,
  invokes,
  type Channel,
  type EventName,
  type InvokeInput,
  type InvokeOutput,
} from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Provision } from '../../app/terminal/provisioning/provisioning.ts';
import { StorageError } from '../../app/storage/database.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../../app/terminal/terminal.ts';
import type { HeardAnswer } from './calls/heard-answer.ts';
import type { Shown } from './copy-evidence.ts';
import type { Evidence } from './evidence.ts';
import type { Life, Machine } from './machine.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

export interface Till {
  /** Starts the terminal; it answers some time later. */
  open(): void;
  /** Ends the terminal as a person would; it is gone some time later. */
  quit(): void;
  /** The process dies now. */
  kill(): void;
  /** The process dies in the middle of what it does next. */
  killSoon(calls: number): void;
  /** The machine's work when its run died by itself. */
  bury(): void;
  isRunning(): boolean;
  /** True when it can be called. */
  isOpen(): boolean;
  life(): number;
  /** The last state that an event carried, or null before the first. */
  state(): TerminalState | null;
  /**
   * Calls a handler; null when nobody is there to answer, or the process died first. `noteState` is told the state in
   * the moment of the call, where all calls are judged.
   */
  call<Name extends Channel>(
    channel: Name,
    input: InvokeInput<Name>,
    noteState?: (state: TerminalState) => void,
  ): Promise<Result<InvokeOutput<Name>, Failure> | null>;
}

interface TillWorld {
  readonly world: World;
  readonly machine: Machine;
  readonly trace: Trace;
  readonly evidence: Evidence;
  readonly inspect: (where: string, text: string) => void;
  readonly provision: () => Provision | null;
  /** The other options with which the terminal is opened. */
  readonly options?: () => TerminalOptions;
  /** Judges every answer; absent where nobody does. */
  readonly hearAnswer?: (heard: HeardAnswer) => void;
}

/** Nothing in the simulation damages a file so that it is no database any more. */
const lossNotices: ReadonlySet<string> = new Set([
  'queueSetAside',
  'catalogueRebuilt',
  'auditSetAside',
  'stocktakesSetAside',
  'settingsSetAside',
]);

/** Whether a start failed as a disk that refuses may make it; nothing is harmed by it. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof StorageError &&
    !error.isDamage &&
    (error.failure.kind === 'storageFull' || error.failure.kind === 'storageFailed')
  );
}

const closingBoundMs = 30_000;
/** One event in so many is held against its schema; all are searched for secrets. */
const checkedEvents = 10;

export function createTill({
  world,
  machine,
  trace,
  evidence,
  inspect,
  provision,
  options,
  hearAnswer,
}: TillWorld): Till {
  let life: Life | null = null;
  let terminal: Terminal | null = null;
  let state: TerminalState | null = null;
  let isQuitting = false;
  let emitted = 0;
  /** By channel, the JSON of the last answer that fits the contract: a state is read often before it changes. */
  const fitting = new Map<string, string>();

  function breakDown(what: string): void {
    evidence.breakdowns.push({ atMs: world.nowMs(), what });
    trace.add(`BREAKDOWN ${what}`);
  }

  function describe(error: unknown): string {
    return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error);
  }

  const lastShown = (profileId: number | null, stockId: string): Shown | undefined =>
    evidence.copy.shown.findLast((shown) => shown.profileId === profileId && shown.stockId === stockId);

  function noteCopy({ profileId, catalogue }: TerminalState): void {
    for (const { stockId, copied, completeAsOf } of catalogue.stocks) {
      const before = lastShown(profileId, stockId);
      if (before?.copied !== copied || before.completeAsOf !== completeAsOf) {
        evidence.copy.shown.push({ atMs: world.nowMs(), profileId, stockId, copied, completeAsOf });
      }
    }
  }

  /** I27 */
  function noteCopyAtStart(opened: Terminal, mine: Life): void {
    void opened.handlers['terminal:read']({}).then((answer) => {
      if (!answer.ok || !mine.isAlive()) {
        return;
      }
      for (const { stockId, copied } of answer.value.catalogue.stocks) {
        const before = lastShown(answer.value.profileId, stockId);
        const isWiped = evidence.copy.wipes.some((wipedMs) => wipedMs >= (before?.atMs ?? 0));
        if (before !== undefined && before.copied > 0 && copied === 0 && !isWiped) {
          const what = `the copy of ${stockId} had ${String(before.copied)} products before this start, and has none`;
          evidence.lostFiles.push({ atMs: world.nowMs(), what });
        }
      }
    });
  }

  function noteLimit(opened: Terminal, mine: Life): void {
    const { handlers } = opened;
    void Promise.all([handlers['rateLimit:read']({}), handlers['terminal:read']({})]).then(([answer, read]) => {
      // The practice platform has a limit of its own.
      if (answer.ok && mine.isAlive() && read.ok && read.value.mode === 'platform') {
        evidence.limits.push({ atMs: world.nowMs(), limit: answer.value.limit });
      }
    });
  }

  function hear(name: EventName, payload: unknown): void {
    inspect(`event ${name}`, JSON.stringify(payload));
    emitted += 1;
    if (emitted % checkedEvents === 0 && !events[name].safeParse(payload).success) {
      breakDown(`event ${name} does not fit the contract`);
    }
    if (name === 'terminal:changed') {
      const before = state?.session;
      const kept = state?.cashiers.users ?? [];
      if ((payload as TerminalState).station.isOn) {
        // A customer is told nothing of the copy or of anybody.
        return;
      }
      state = payload as TerminalState;
      noteCopy(state);
      for (const { kind, detail } of state.notices.filter((notice) => lossNotices.has(notice.kind))) {
        evidence.lostFiles.push({ atMs: world.nowMs(), what: `${kind} ${detail}` });
      }
      // Of a till that goes to practice and back it is not judged: its states are those of two stores.
      if (hearAnswer === undefined) {
        evidence.reported.note(life?.number ?? 0, world.nowMs(), state);
      }
      const { session } = state;
      if (
        session.state === 'ended' &&
        session.email !== null &&
        (before?.state !== 'ended' || before.email !== session.email)
      ) {
        trace.add(`asked to sign in: ${session.email}`);
        evidence.endings.push({ atMs: world.nowMs(), email: session.email });
      }
      // Of whoever has a badge nothing is shown but that it no longer suffices; whoever makes every call forgets some.
      for (const { email } of hearAnswer === undefined ? state.cashiers.users.filter((one) => !one.canComeBack) : []) {
        if (kept.some((one) => one.email === email && one.canComeBack)) {
          trace.add(`the badge of ${email} needs the password`);
          evidence.endings.push({ atMs: world.nowMs(), email });
        }
      }
    }
  }

  /** Lets an abandoned run close its files, away from the world. */
  function bury(): void {
    const [dead, folder] = [terminal, life === null ? '' : life.ports.shell.dataDirectory];
    evidence.deaths.push({ life: life?.number ?? 0, atMs: world.nowMs() });
    for (const intent of evidence.intents) {
      if (intent.status === 'asked' && intent.life === life?.number) {
        intent.status = 'unknown';
      }
    }
    life = null;
    terminal = null;
    state = null;
    isQuitting = false;
    // The rest of what it is doing must have been broken off before its files are.
    queueMicrotask(() => {
      dead?.close().then(
        () => {
          rmSync(folder, { recursive: true, force: true });
        },
        () => undefined,
      );
    });
  }

  return {
    open: () => {
      const mine = machine.begin();
      life = mine;
      const wasDiskFine = machine.isDiskFine();
      evidence.starts.push(world.nowMs());
      const given = provision();
      openTerminal(mine.ports, { ...options?.(), ...(given === null ? {} : { provision: given }) }).then(
        (opened) => {
          if (!mine.isAlive()) {
            void opened.close();
            return;
          }
          terminal = opened;
          opened.subscribe((name, payload) => {
            if (mine.isAlive()) {
              hear(name, payload);
            }
          });
          trace.add('open');
          noteCopyAtStart(opened, mine);
          noteLimit(opened, mine);
        },
        (error: unknown) => {
          if (mine.isAlive()) {
            if (isRefusal(error) && !(wasDiskFine && machine.isDiskFine())) {
              trace.add('the disk refused the start');
            } else {
              breakDown(`the terminal did not open: ${describe(error)}`);
            }
            machine.end();
            life = null;
          }
        },
      );
    },
    quit: () => {
      const [mine, closing] = [life, terminal];
      if (mine === null || closing === null || isQuitting) {
        return;
      }
      isQuitting = true;
      evidence.reported.note(mine.number, world.nowMs(), null);
      trace.add('quit');
      const late = world.after(closingBoundMs, () => {
        if (mine.isAlive()) {
          breakDown('the terminal did not close');
        }
      });
      closing.close().then(
        () => {
          late.cancel();
          if (mine.isAlive()) {
            machine.end();
            life = null;
            terminal = null;
            state = null;
            isQuitting = false;
          }
        },
        (error: unknown) => {
          breakDown(`closing threw: ${describe(error)}`);
        },
      );
    },
    kill: () => {
      if (life !== null) {
        machine.crash('');
        bury();
      }
    },
    killSoon: (calls) => {
      life?.crashAfterCalls(calls);
    },
    bury,
    isRunning: () => life !== null,
    isOpen: () => terminal !== null && !isQuitting,
    life: () => life?.number ?? 0,
    state: () => state,
    call: async (channel, input, noteState) => {
      const [mine, open] = [life, terminal];
      if (mine === null || open === null || isQuitting) {
        return null;
      }
      const handler = open.handlers[channel] as (input: unknown) => Promise<Result<unknown, Failure>>;
      const noteEnd = evidence.reported.begin(channel, world.nowMs());
      const startedMs = world.nowMs();
      const reading = hearAnswer === undefined ? null : open.handlers['terminal:read']({});
      try {
        const answer = await handler(input).finally(() => noteEnd(world.nowMs()));
        if (!mine.isAlive()) {
          return null;
        }
        const text = JSON.stringify(answer);
        inspect(`answer of ${channel}`, text);
        if (answer.ok && fitting.get(channel) !== text) {
          if (invokes[channel].output.safeParse(answer.value).success) {
            fitting.set(channel, text);
          } else {
            breakDown(
              `the answer of ${channel} does not fit the contract: ${JSON.stringify(answer.value).slice(0, 300)}`,
            );
          }
        }
        const read = (await reading) ?? null;
        if (read?.ok === true && mine.isAlive()) {
          noteState?.(read.value);
          const isDiskTroubled = evidence.fullDisks.some(
            ({ fromMs, toMs }) => fromMs <= world.nowMs() && toMs >= startedMs,
          );
          hearAnswer?.({ channel, input, state: read.value, answer, isDiskTroubled });
        }
        return answer as Result<InvokeOutput<typeof channel>, Failure>;
      } catch (error) {
        if (mine.isAlive()) {
          breakDown(`${channel} threw: ${describe(error)}`);
        }
        return null;
      }
    },
  };
}
