import type { Socket } from 'node:net';

/**
 * Stands between a server's bytes and pg, which believes them: it loops for ever over a text without an end, throws out
 * of the socket's listener at a length that lies, collects whatever comes, and tells a password to whoever asks for it.
 */
export type PostgresGuard = ReturnType<typeof createPostgresGuard>;

export interface PostgresGuardRules {
  /** How a sign-in may begin, of `signInKinds`. */
  readonly signIns: readonly number[];
  /** One of which a server that begins it by SASL must offer. */
  readonly mechanism: string;
  /** Of one message, in bytes. */
  readonly maxMessageBytes: number;
  /** Of all that a server says until it is asked again: an answer, with some for each column and value, and what it says unasked. */
  readonly maxAnswerBytes: number;
  readonly maxAnswerMessages: number;
  /** The error of a message that is refused. */
  readonly refuse: (why: 'weakSignIn' | 'tooLong' | 'unreadable') => Error;
}
type Refuse = PostgresGuardRules['refuse'];

/** Of a message of the sign-in, as PostgreSQL's own client has it. */
const maxSignInBytes = 2_000;

/** What a column and a value of a row take of the memory at least, also those of nothing. */
const [columnBytes, valueBytes] = [300, 40];

/** The byte that says what a message is, and four that say how long it is without that byte. */
const headBytes = 5;

/** AuthenticationOk, …CleartextPassword, …MD5Password, …SASL */
export const signInKinds = { trust: 0, clearText: 3, md5: 5, sasl: 10 };
const { trust: isSignedIn, sasl: offersSasl } = signInKinds;
/** …SASLContinue, …SASLFinal */
const [goesOn, isProven] = [11, 12];
/**
 * What may come after what. Without its proof at the end a server need not know the password (RFC 5802 §3). A second
 * challenge would cost as much work as the first.
 */
const nextSteps: Readonly<Record<number, readonly number[]>> = {
  [signInKinds.clearText]: [isSignedIn],
  [signInKinds.md5]: [isSignedIn],
  [offersSasl]: [goesOn],
  [goesOn]: [isProven],
  [isProven]: [isSignedIn],
  [isSignedIn]: [],
};

/** Walks through what a message says, and never beyond its end. */
function createWalk(message: Buffer, refuse: Refuse) {
  let at = headBytes;
  const unreadable = (): Error => refuse('unreadable');
  const pass = (bytes: number): number => {
    const from = at;
    at += bytes;
    if (bytes < 0 || at > message.length) throw unreadable();
    return from;
  };
  const isAtEnd = (): boolean => at === message.length;
  return {
    unreadable,
    pass,
    isAtEnd,
    int16: () => message.readInt16BE(pass(2)),
    int32: () => message.readInt32BE(pass(4)),
    byte: () => message.readUInt8(pass(1)),
    /** The text up to the byte 0 that ends it. */
    text: () => {
      const end = message.indexOf(0, at);
      if (end === -1) throw unreadable();
      return message.toString('utf8', pass(end + 1 - at), end);
    },
    /** So many times what follows a number of two bytes. */
    each: (part: () => void) => {
      const count = message.readInt16BE(pass(2));
      if (count < 0) throw unreadable();
      for (let done = 0; done < count; done += 1) part();
    },
  };
}
type Walk = ReturnType<typeof createWalk>;

const passNothing = (): void => undefined;
const passReport = (walk: Walk): void => {
  while (walk.byte() !== 0) walk.text();
};

/**
 * What the app's statements are answered with, by the first byte of a message
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 */
const formats: Readonly<Record<string, (walk: Walk) => void>> = {
  '1': passNothing, // ParseComplete
  '2': passNothing, // BindComplete
  I: passNothing, // EmptyQueryResponse
  n: passNothing, // NoData
  E: passReport, // ErrorResponse
  N: passReport, // NoticeResponse
  A: (walk) => {
    // NotificationResponse: process, channel, payload
    walk.int32();
    walk.text();
    walk.text();
  },
  C: (walk) => {
    // CommandComplete
    walk.text();
  },
  D: (walk) => {
    // DataRow: null has the length -1
    walk.each(() => {
      const length = walk.int32();
      if (length !== -1) walk.pass(length);
    });
  },
  K: (walk) => {
    // BackendKeyData
    walk.pass(8);
  },
  S: (walk) => {
    // ParameterStatus: name, value
    walk.text();
    walk.text();
  },
  T: (walk) => {
    // RowDescription: name, table, column, type, its size and modifier, format
    walk.each(() => {
      walk.text();
      walk.pass(16);
      // Nothing else than text was asked for.
      if (walk.int16() !== 0) throw walk.unreadable();
    });
  },
  Z: (walk) => {
    // ReadyForQuery: idle, in a transaction, in a failed one
    if (!'ITE'.includes(String.fromCharCode(walk.byte()))) throw walk.unreadable();
  },
};

/** A guard for one connection. */
export function createPostgresGuard({ signIns, mechanism, refuse, ...most }: PostgresGuardRules) {
  let mayCome = signIns;
  let step: number | null = null;
  let held = Buffer.alloc(headBytes);
  let heldBytes = 0;
  let answerBytes = 0;
  let answerMessages = 0;
  let columns = 0;

  const passSignIn = (walk: Walk, length: number): void => {
    const kind = walk.int32();
    if (!mayCome.includes(kind)) throw refuse('weakSignIn');
    mayCome = nextSteps[kind] ?? [];
    step = kind;
    if (kind === offersSasl) {
      const offered: string[] = [];
      for (let name = walk.text(); name !== ''; name = walk.text()) offered.push(name);
      if (!offered.includes(mechanism)) throw refuse('weakSignIn');
    } else if (kind !== isSignedIn) {
      walk.pass(length - headBytes - 4);
    }
  };

  const check = (message: Buffer): void => {
    const type = String.fromCharCode(message.readUInt8(0));
    const walk = createWalk(message, refuse);
    if (type === 'R') {
      passSignIn(walk, message.length);
    } else {
      const pass = step === isSignedIn || type === 'E' ? formats[type] : undefined;
      if (pass === undefined) throw walk.unreadable();
      pass(walk);
    }
    if (!walk.isAtEnd()) throw walk.unreadable();
    if (type === 'T') {
      columns = message.readInt16BE(headBytes);
      answerBytes += columnBytes * columns;
    } else if (type === 'D') {
      // pg makes a row of all columns, whatever it has.
      if (message.readInt16BE(headBytes) !== columns) throw walk.unreadable();
      answerBytes += valueBytes * columns;
    }
    if (answerBytes > most.maxAnswerBytes) throw refuse('tooLong');
  };

  /** How long the whole message will be, which has no more than its head yet. */
  const measure = (head: Buffer): number => {
    const length = head.readUInt32BE(1);
    if (length < headBytes - 1) throw refuse('unreadable');
    answerBytes += length + 1;
    answerMessages += 1;
    const isSignIn = head.readUInt8(0) === 'R'.charCodeAt(0);
    if (
      length + 1 > (isSignIn ? maxSignInBytes : most.maxMessageBytes) ||
      answerBytes > most.maxAnswerBytes ||
      answerMessages > most.maxAnswerMessages
    ) {
      throw refuse('tooLong');
    }
    return length + 1;
  };

  return {
    /**
     * Calls `hand` with each message once it is whole and known to be as its format says. Throws what
     * `refuse` makes at the first that is not, or that `hand` throws at.
     */
    take: (chunk: Uint8Array, hand: (message: Buffer) => void) => {
      const pass = (message: Buffer): void => {
        try {
          hand(message);
        } catch {
          throw refuse('unreadable');
        }
      };
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + held.length - heldBytes);
        held.set(part, heldBytes);
        heldBytes += part.length;
        at += part.length;
        if (heldBytes === headBytes && held.length === headBytes) {
          const whole = Buffer.alloc(measure(held));
          held.copy(whole);
          held = whole;
        }
        if (heldBytes === held.length) {
          const message = held;
          held = Buffer.alloc(headBytes);
          heldBytes = 0;
          check(message);
          pass(message);
        }
      }
    },
    /** The server is asked something: it may say as much again. */
    expectAnswer: () => {
      answerBytes = 0;
      answerMessages = 0;
    },
  };
}

/** The same stream, whose listeners hear whole messages alone. It is lost at the first that is refused; they hear why. */
export function guardStream<Stream extends Socket>(stream: Stream, guard: PostgresGuard): Stream {
  const emit = stream.emit.bind(stream);
  const take = (chunk: Uint8Array): void => {
    try {
      guard.take(chunk, (message) => {
        if (!stream.destroyed) emit('data', message);
      });
    } catch (error) {
      stream.destroy(error as Error);
    }
  };
  return Object.assign(stream, {
    emit: (name: string, ...values: readonly unknown[]): boolean => {
      const [chunk] = values;
      if (name !== 'data' || !(chunk instanceof Uint8Array)) {
        return emit(name, ...values);
      }
      take(chunk);
      return true;
    },
  });
}
