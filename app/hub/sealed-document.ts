// How the document lies at the hub: sealed, a row for each member, and a text for all the rest, its header.
//
// The problem: written whole, it costs the server the square of the terminals. Written in parts, an old part could be put
// beside newer ones. So each row is sealed with its account, its member and the version in which it was written, and with
// a random number, its tag. The header has the sum (XOR) of the tags of all rows. Who does not know the tags cannot find
// other rows of the same sum.
//
// A terminal keeps the rows that it has opened, and asks for those of later versions. Where the sum is another (a row was
// forgotten, a backup was restored), it reads all of them once.
//
// An earlier version knows the whole document as one text alone. As long as one of the members has not said that it
// reads rows, or the hub keeps none, all terminals write that.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../domain/json.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Random } from '../ports.ts';
import {
  callTimeoutMs,
  isMemberId,
  parseDocument,
  parseHeader,
  parseMember,
  type HubDocument,
  type Member,
} from './document.ts';
import {
  maxRows,
  type HubFailure,
  type HubFailureKind,
  type HubLink,
  type HubReading,
  type HubRow,
  type HubRowChange,
} from './link.ts';
import { open, seal } from './sealing.ts';

/** With which a document is read and written. */
export interface SealedDocumentPorts {
  readonly random: Pick<Random, 'uuid'>;
  readonly link: Pick<HubLink, 'read' | 'write'>;
  /** Who counts as one account. */
  readonly account: string;
  /** The key that this shop's terminals share; 32 bytes. */
  readonly key: Uint8Array;
}

/** `unreadable`: damaged, or sealed with another key, or by nobody who has one. */
export interface DocumentReading {
  readonly reading: HubReading;
  readonly document: HubDocument | 'unreadable' | null;
}

interface Row {
  readonly tag: bigint;
  readonly member: Member | 'newer' | null;
}

/** In this register of the hub lies the last of its lives that is an old one. */
export const lifeRegister = 'tillside-hub life';
const rowSchema = z.tuple([z.string().regex(/^[0-9a-f]{32}$/), z.unknown()]);
const nothing: { readonly version: number; readonly rows: ReadonlyMap<string, Row> } = { version: 0, rows: new Map() };

function sumOf(rows: ReadonlyMap<string, Row>): string {
  return [...rows.values()].reduce((sum, { tag }) => sum ^ tag, 0n).toString(16);
}

/** Opens the account's document; it remembers the rows that it has opened. */
export function createSealedDocument({ random, link, account, key }: SealedDocumentPorts) {
  let known = nothing;
  let secret: KeyObject | null = null;

  // The key may come with the first answer, and another later. From its bytes, Node would make it anew each time.
  const secretNow = (): KeyObject => {
    if (secret?.export().equals(key) !== true) {
      [secret, known] = [createSecretKey(key), nothing];
    }
    return secret;
  };
  const headerMeaning = (version: number): string => `tillside-hub 1\n${account}\n${version}`;
  const rowMeaning = (member: string, version: number): string => `tillside-hub row\n${account}\n${member}\n${version}`;
  const sealed = (meaning: string, value: unknown): string =>
    seal(secretNow(), meaning, Buffer.from(JSON.stringify(value)), random).toString('base64');
  const opened = (meaning: string, text: string): unknown => {
    const bytes = open(secretNow(), meaning, Buffer.from(text, 'base64'));
    // A stolen till has the key, and may seal what is no JSON.
    return bytes === null ? null : parseJson(bytes.toString('utf8'));
  };

  function openRow({ member, version, record }: HubRow): Row {
    const value = opened(rowMeaning(member, version), record);
    const [tag, written] = rowSchema.safeParse(value).data ?? ['0', null];
    return { tag: BigInt(`0x${tag}`), member: value === null ? null : (parseMember(written) ?? 'newer') };
  }

  function openReading({ document, version, rows }: HubReading): HubDocument | 'unreadable' | 'newerDocument' | null {
    if (document === null) {
      known = nothing;
      return null;
    }
    // Asked for all of them, the hub has said what there is.
    const isWhole = known.version === 0;
    const all = new Map(isWhole ? [] : known.rows);
    for (const row of rows ?? []) {
      all.set(row.member, openRow(row));
      if (all.size > maxRows) {
        known = nothing;
        return 'unreadable';
      }
    }
    known = { version, rows: all };
    const value = opened(headerMeaning(version), document);
    const whole = parseDocument(value);
    if (value === null || whole !== null) {
      return whole ?? 'unreadable';
    }
    const header = parseHeader(value);
    if (header === null || rows === null) {
      return 'newerDocument';
    }
    const { rows: sum, ...rest } = header;
    // mutant: an old row passes beside a new header (H8)
    const isSame = sum === sumOf(all);
    // Also where a row of a newer version is known: the hub may have lost it since.
    if (!isSame && !isWhole) {
      return 'unreadable';
    }
    const members: Record<string, Member> = {};
    for (const [id, { member }] of all) {
      if (member === null) return 'unreadable';
      if (member === 'newer') return 'newerDocument';
      if (isMemberId(id)) members[id] = member;
    }
    return isSame ? { ...rest, format: 1, members } : 'unreadable';
  }

  return {
    /** Whether a terminal has told that this life of the hub is an old one; `isSeen`: this one tells it. */
    isOldLife: async (life: string, isSeen: boolean): Promise<Result<boolean, HubFailureKind>> => {
      const read = await link.read(lifeRegister, callTimeoutMs);
      if (!read.ok) {
        return fail(read.failure.kind);
      }
      if (opened(lifeRegister, read.value.document ?? '') === life) {
        return succeed(true);
      }
      const written = isSeen && (await link.write(lifeRegister, read.value, sealed(lifeRegister, life), callTimeoutMs));
      return succeed(written !== false && written.ok && written.value);
    },

    /** Null where there is none yet. Fails with `contended` when all is to be read anew. */
    read: async (): Promise<Result<DocumentReading, HubFailureKind | 'newerDocument' | 'contended'>> => {
      const since = known.version;
      const read = await link.read(account, callTimeoutMs, since);
      if (!read.ok) {
        return fail(read.failure.kind);
      }
      const document = openReading(read.value);
      if (document === 'newerDocument') {
        return fail(document);
      }
      if (document === 'unreadable' && since > 0) {
        known = nothing;
        return fail('contended');
      }
      return succeed({ reading: read.value, document });
    },

    /** Writes it in the place of the one that was read last. Answers false when another was quicker. */
    write: async (reading: HubReading, document: HubDocument): Promise<Result<boolean, HubFailure>> => {
      const version = reading.version + 1;
      const { members, ...rest } = document;
      // mutant: rows are written beside a terminal that reads none (H1)
      const hasRows = reading.rows !== null && Object.values(members).every(({ readsRows }) => readsRows);
      const rows = new Map<string, Row>();
      const changes: HubRowChange[] = [];
      for (const [id, member] of hasRows ? Object.entries(members) : []) {
        const before = known.rows.get(id);
        if (before?.member === member) {
          rows.set(id, before);
        } else {
          const tag = random.uuid().replaceAll('-', '');
          rows.set(id, { tag: BigInt(`0x${tag}`), member });
          changes.push({ member: id, record: sealed(rowMeaning(id, version), [tag, member]) });
        }
      }
      // A hub that keeps none has none to remove.
      for (const id of reading.rows === null ? [] : known.rows.keys()) {
        if (!rows.has(id)) changes.push({ member: id, record: null });
      }
      const text = hasRows ? { ...rest, format: 2, rows: sumOf(rows) } : document;
      const written = await link.write(account, reading, sealed(headerMeaning(version), text), callTimeoutMs, changes);
      known = written.ok && written.value ? { version, rows } : known;
      return written;
    },
  };
}

export type SealedDocument = ReturnType<typeof createSealedDocument>;
