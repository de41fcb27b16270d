// The state of the way to the platform, by the outcomes of this terminal's calls.
//
//   W1  A call says nothing against the way when another one was answered since it began: one that fails or hangs among
//       successes is no outage.
//   W2  A call that does not get through ends the way at once. A platform that answers with its own fault, or with a
//       gateway's, has to do so twice: to a call, and to one that began after the first had failed.
//   W3  A call that is open for longer than the platform usually takes, and nothing else is answered: the platform does
//       not answer.
//   W4  While anything speaks against the way it is asked about, so that nothing is told for long that is over.
import { backoffMs } from '../domain/backoff.ts';
import { createListeners } from '../domain/listeners.ts';
import { isNetworkFailure, type Failure } from '../domain/failure.ts';
import type { Clock, Random, Timer } from '../ports.ts';

const firstProbeMs = 3_000;
const maxProbeMs = 15_000;
/** An outage that has lasted so long is looked at less often: whoever scans or signs in asks sooner. */
const longOutageMs = 600_000;
const longOutageProbeMs = 60_000;
/** An open call is waited for twice as long as the platform lately took, within these bounds, before that is told. */
const leastPatienceMs = 4_000;
const mostPatienceMs = 8_000;
/** How long a start may take to learn of the way; whoever knows nothing by then does not go on looking. */
export const checkingMs = 10_000;
/** Faults, each of a call that began after the one before, that make an outage (W2). */
const faultsOfOutage = 2;

export interface Way {
  /**
   * `unknown`: no call was answered or failed yet; `open`: the platform answers; `noAnswer`: it is silent, or answers
   * with a fault alone; `offline`: nothing gets through to it.
   */
  readonly state: 'unknown' | 'open' | 'noAnswer' | 'offline';
  /** When it became so, in milliseconds since 1970. */
  readonly since: number;
  /** The failure that speaks against it; null while it is unknown or open. */
  readonly failure: Failure | null;
  /** True for a short while after the start, until something is known. */
  readonly isStarting: boolean;
}

/** Follows one call. */
export interface Following {
  /** Its connection stands: what goes wrong from now on is no want of a network. */
  left(): void;
  /** The outcome: null for a success, else the failure of the sending or of the answer. */
  end(failure: Failure | null): void;
}

export interface Connection {
  /** For whoever tells it. */
  way(): Way;
  /** Why nothing is to be sent by itself: the last call did not get through. Null while something may. */
  outage(): Failure | null;
  /** Whether the last call was answered, whatever the answer was. */
  isAnswered(): boolean;
  /** How many exchanges have succeeded in this run; two readings that differ prove that others get through. */
  successes(): number;
  /** When the platform last answered in this run, as an uptime; null before that. */
  answeredMs(): number | null;
  /** A call begins. */
  begin(): Following;
  /** Nobody is to ask by itself whether it is offline still: that is given up, and the next call will tell. */
  doubt(): void;
  /** Calls are answered from now on: the first one was, or the first one after an outage. */
  onReturn(listener: () => void): void;
  /** Calls back when `way` has changed. */
  onChange(listener: () => void): void;
  close(): void;
}

interface Call {
  readonly begunMs: number;
  /** How many answers, and how many faults since the last one, there were when it began. */
  readonly answersBefore: number;
  readonly faultsBefore: number;
  hasLeft: boolean;
}

/** The meaning of a call's end: `nothing` for one that was called off or never sent. */
function meaningOf(failure: Failure | null, hasLeft: boolean): 'answer' | 'fault' | 'noAnswer' | 'offline' | 'nothing' {
  if (failure === null || failure.kind === 'answerTooLarge') {
    return 'answer';
  }
  if (isNetworkFailure(failure)) {
    return failure.kind === 'timedOut' && hasLeft ? 'noAnswer' : 'offline';
  }
  if (failure.kind === 'platformFailed') {
    return 'fault';
  }
  return failure.status === undefined ? 'nothing' : 'answer';
}

/** Tells after a while that an open call is not answered (W3). */
function watchSilence(clock: Clock, onSilence: (call: Call) => void) {
  const open = new Set<Call>();
  let usualMs = 0;
  let timer: Timer | null = null;

  function arm(): void {
    timer?.cancel();
    timer = null;
    const [first] = open;
    if (first !== undefined) {
      const patienceMs = Math.min(mostPatienceMs, Math.max(leastPatienceMs, 2 * usualMs));
      timer = clock.after(Math.max(1, first.begunMs + patienceMs - clock.uptimeMs()), () => {
        timer = null;
        open.clear();
        onSilence(first);
      });
    }
  }

  return {
    begin: (call: Call): void => {
      open.add(call);
      if (open.size === 1) {
        arm();
      }
    },
    /** W1: those that are open still say nothing from now on. */
    answered: (call: Call): void => {
      usualMs = Math.max(clock.uptimeMs() - call.begunMs, usualMs / 2);
      open.clear();
      arm();
    },
    end: (call: Call): void => {
      if (open.delete(call)) {
        arm();
      }
    },
    close: (): void => {
      open.clear();
      timer?.cancel();
    },
  };
}

/** Asks, from `begin` until `rest`, at growing distances (W4). */
function createProbes({ clock, random }: { readonly clock: Clock; readonly random: Random }, probe: () => void) {
  let probes = 0;
  let sinceMs: number | null = null;
  let timer: Timer | null = null;

  function begin(): void {
    sinceMs ??= clock.uptimeMs();
    const isLong = clock.uptimeMs() - sinceMs >= longOutageMs;
    const probeMs = isLong ? longOutageProbeMs : backoffMs(probes, firstProbeMs, maxProbeMs);
    timer ??= clock.after(probeMs * (0.8 + 0.4 * random.fraction()), () => {
      timer = null;
      probes += 1;
      begin();
      probe();
    });
  }

  return {
    begin,
    rest: (): void => {
      timer?.cancel();
      timer = null;
      probes = 0;
      sinceMs = null;
    },
  };
}

/** Decides when whoever sends by itself may go on: one call that was cut stops it, and any answer lets it go on. */
function createGate(clock: Clock) {
  const { add: onReturn, emit } = createListeners();
  let outage: Failure | null = null;
  let isAnswered = false;
  let answeredMs: number | null = null;
  return {
    readings: { outage: () => outage, isAnswered: () => isAnswered, answeredMs: () => answeredMs, onReturn },
    answer: (): void => {
      const isNew = !isAnswered;
      answeredMs = clock.uptimeMs();
      isAnswered = true;
      outage = null;
      if (isNew) {
        emit();
      }
    },
    /** Null where nothing is known any more. */
    close: (failure: Failure | null): void => {
      outage = failure;
      isAnswered = false;
    },
  };
}

/**
 * Tracks the way to the platform. `probe` is called while anything speaks against it, first after 3 s, then at growing
 * distances up to 15 s, and after ten minutes once a minute.
 */
export function createConnection(
  ports: { readonly clock: Clock; readonly random: Random },
  probe: () => void,
): Connection {
  const { clock } = ports;
  const probes = createProbes(ports, probe);
  const gate = createGate(clock);
  const { add: onChange, emit: emitChange } = createListeners();
  const silence = watchSilence(clock, ({ hasLeft }) => {
    // A call that has no connection yet tells nothing new of an outage.
    if (hasLeft || way.state !== 'offline') {
      move('noAnswer', { kind: 'timedOut' });
    }
  });
  let way: Way = { state: 'unknown', since: clock.now(), failure: null, isStarting: true };
  let successes = 0;
  let answers = 0;
  let faults = 0;
  let isClosed = false;
  const startTimer = clock.after(checkingMs, () => {
    if (way.isStarting) {
      way = { ...way, isStarting: false };
      emitChange();
    }
  });

  function move(state: Way['state'], failure: Failure | null): void {
    const isSame = way.state === state;
    const hasChanged = !isSame || way.isStarting || way.failure?.kind !== failure?.kind;
    startTimer.cancel();
    way = { state, since: isSame ? way.since : clock.now(), failure, isStarting: false };
    if (hasChanged) {
      emitChange();
    }
  }

  /** Nothing speaks against the way. */
  function rest(): void {
    probes.rest();
    faults = 0;
  }

  function end(call: Call, failure: Failure | null): void {
    silence.end(call);
    if (isClosed) {
      return;
    }
    const isExcused = answers > call.answersBefore; // W1
    const meaning = meaningOf(failure, call.hasLeft);
    switch (meaning) {
      case 'nothing':
        return;
      case 'answer':
        answers += 1;
        successes += failure === null ? 1 : 0;
        silence.answered(call);
        rest();
        // mutant: a platform that answers again is told as silent still (I29)
        move('open', null);
        gate.answer();
        return;
      case 'fault':
        // W2: what fails at the same time is one fault.
        if (!isExcused) {
          faults += call.faultsBefore === faults ? 1 : 0;
          probes.begin();
          // mutant: faults alone are no outage (W2)
          if (faults >= faultsOfOutage || way.state === 'offline') {
            move('noAnswer', failure);
          }
        }
        gate.answer();
        return;
      case 'noAnswer':
      case 'offline':
        gate.close(failure);
        probes.begin();
        if (!isExcused) {
          // mutant: a call that did not get through leaves it online (I29)
          move(meaning, failure);
        }
    }
  }

  return {
    way: () => way,
    ...gate.readings,
    successes: () => successes,
    begin: () => {
      const call: Call = { begunMs: clock.uptimeMs(), answersBefore: answers, faultsBefore: faults, hasLeft: false };
      // mutant: a platform that is silent is online (I29)
      silence.begin(call);
      return {
        left: () => {
          call.hasLeft = true;
        },
        end: (failure) => end(call, failure),
      };
    },
    doubt: () => {
      rest();
      gate.close(null);
      move('unknown', null);
    },
    onChange,
    close: () => {
      isClosed = true;
      silence.close();
      startTimer.cancel();
      probes.rest();
    },
  };
}
