// That is what POSIX leaves open and SQLite is built for: a sector is whole, old or new ("powersafe overwrite",
// https://sqlite.org/psow.html).
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Event } from './recording.ts';

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

/** A file's bytes, with room to grow. */
class Content {
  #bytes: Buffer;
  length: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#bytes = Buffer.from(bytes);
    this.length = bytes.length;
  }

  write(offset: number, bytes: Buffer): void {
    const end = offset + bytes.length;
    if (end > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(end, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.length);
      this.#bytes = grown;
    }
    bytes.copy(this.#bytes, offset);
    this.length = Math.max(this.length, end);
  }

  truncate(length: number): void {
    if (length > this.length) {
      this.write(length - 1, Buffer.alloc(1));
    }
    this.#bytes.fill(0, length, Math.max(length, this.length));
    this.length = length;
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length));
  }
}

interface Inode {
  readonly synced: Content;
  unsynced: Change[];
}

export class Disk {
  /** The folder as processes see it, as it was last synced, and what was done to it in between. */
  readonly #names = new Map<string, Inode>();
  #syncedNames = new Map<string, Inode>();
  #unsyncedNames: { readonly name: string; readonly inode: Inode | null }[] = [];
  readonly #openFiles = new Map<number, Inode>();

  apply(event: Event): void {
    switch (event.kind) {
      case 'open':
        this.#openFiles.set(event.file, this.#inodeNamed(event.name));
        break;
      case 'write':
      case 'truncate':
        this.#inodeOf(event.file).unsynced.push(event);
        break;
      case 'sync': {
        const inode = this.#inodeOf(event.file);
        for (const change of inode.unsynced) {
          if (change.kind === 'write') {
            inode.synced.write(change.offset, change.bytes);
          } else {
            inode.synced.truncate(change.length);
          }
        }
        inode.unsynced = [];
        break;
      }
      case 'syncFolder':
        this.#syncedNames = new Map(this.#names);
        this.#unsyncedNames = [];
        break;
      case 'unlink':
        this.#names.delete(event.name);
        this.#unsyncedNames.push({ name: event.name, inode: null });
        break;
      case 'rename': {
        const inode = this.#inodeNamed(event.name);
        this.#names.set(event.to, inode);
        this.#names.delete(event.name);
        this.#unsyncedNames.push({ name: event.to, inode }, { name: event.name, inode: null });
        break;
      }
      case 'mark':
        break;
    }
  }

  /** The folder's content after a power cut now. */
  cut(random: SeededRandom): ReadonlyMap<string, Buffer> {
    const sectorBytes = random.pick([512, 4096]);
    // Often all or nothing of what was not synced, often anything in between.
    const kept = random.pick([0, 0.1, 0.5, 0.9, 1]);
    const names = new Map(this.#syncedNames);
    for (const { name, inode } of this.#unsyncedNames.slice(0, random.integer(0, this.#unsyncedNames.length))) {
      if (inode === null) {
        names.delete(name);
      } else {
        names.set(name, inode);
      }
    }
    const files = new Map<string, Buffer>();
    for (const [name, inode] of names) {
      const content = new Content(inode.synced.bytes());
      for (const change of inode.unsynced) {
        if (change.kind === 'write') {
          for (const sector of sectorsOf(change, sectorBytes)) {
            if (random.chance(kept)) {
              content.write(sector.offset, sector.bytes);
            }
          }
        } else if (random.chance(kept)) {
          content.truncate(change.length);
        }
      }
      files.set(name, content.bytes());
    }
    return files;
  }

  #inodeNamed(name: string): Inode {
    const found = this.#names.get(name);
    if (found !== undefined) {
      return found;
    }
    const inode: Inode = { synced: new Content(), unsynced: [] };
    this.#names.set(name, inode);
    this.#unsyncedNames.push({ name, inode });
    return inode;
  }

  #inodeOf(file: number): Inode {
    const inode = this.#openFiles.get(file);
    if (inode === undefined) {
      throw new Error(`file ${file} is not open`);
    }
    return inode;
  }
}

function sectorsOf(
  { offset, bytes }: { readonly offset: number; readonly bytes: Buffer },
  sectorBytes: number,
): { readonly offset: number; readonly bytes: Buffer }[] {
  const sectors: { offset: number; bytes: Buffer }[] = [];
  for (let place = offset; place < offset + bytes.length;) {
    const end = Math.min(offset + bytes.length, (Math.floor(place / sectorBytes) + 1) * sectorBytes);
    sectors.push({ offset: place, bytes: bytes.subarray(place - offset, end - offset) });
    place = end;
  }
  return sectors;
}
