// Wine 10's user32.dll lacks a function that Electron asks for, and Electron ends at once without it. This adds
// functions that answer 0 to Wine's own library; Electron stays as it is. The format:
// https://learn.microsoft.com/windows/win32/debug/pe-format
import { readFileSync, writeFileSync } from 'node:fs';

interface Section {
  readonly address: number;
  readonly size: number;
  readonly place: number;
}

const align = (value: number, to: number): number => Math.ceil(value / to) * to;

/** The parts of a 64-bit library that say where everything is. */
function readLayout(file: Buffer) {
  const header = file.readUInt32LE(0x3c);
  const optional = header + 24;
  if (file.toString('latin1', header, header + 4) !== 'PE\0\0' || file.readUInt16LE(optional) !== 0x20b) {
    throw new Error('not a 64-bit library of Windows');
  }
  const table = optional + file.readUInt16LE(header + 20);
  const sections = Array.from({ length: file.readUInt16LE(header + 6) }, (_, index): Section => {
    const at = table + 40 * index;
    return {
      address: file.readUInt32LE(at + 12),
      size: Math.max(file.readUInt32LE(at + 8), file.readUInt32LE(at + 16)),
      place: file.readUInt32LE(at + 20),
    };
  });
  const placeOf = (address: number): number => {
    const section = sections.find((one) => address >= one.address && address < one.address + one.size);
    if (section === undefined) {
      throw new Error('an address lies in no section');
    }
    return address - section.address + section.place;
  };
  return { header, optional, table, sections, placeOf };
}

type Layout = ReturnType<typeof readLayout>;

/** The functions by their names, and the table of exports that holds them. */
function readExports(file: Buffer, { optional, placeOf }: Layout) {
  const [address, size] = [file.readUInt32LE(optional + 112), file.readUInt32LE(optional + 116)];
  const at = placeOf(address);
  const textAt = (place: number): string => file.toString('latin1', place, file.indexOf(0, place));
  const list = (place: number, count: number, width: 2 | 4): number[] =>
    Array.from({ length: count }, (_, index) => file.readUIntLE(place + width * index, width));
  const names = list(placeOf(file.readUInt32LE(at + 32)), file.readUInt32LE(at + 24), 4);
  const ordinals = list(placeOf(file.readUInt32LE(at + 36)), names.length, 2);
  return {
    head: file.subarray(at, at + 40),
    library: textAt(placeOf(file.readUInt32LE(at + 12))),
    functions: list(placeOf(file.readUInt32LE(at + 28)), file.readUInt32LE(at + 20), 4),
    // An address within the table itself is no function but the name of one in another library.
    forwardOf: (where: number): string | null =>
      where >= address && where < address + size ? textAt(placeOf(where)) : null,
    names: new Map(names.map((name, index) => [textAt(placeOf(name)), ordinals[index] ?? 0])),
  };
}

/** The table of exports anew for this address, with `added` beside the others, and after it the code that answers 0. */
function writeExports(exported: ReturnType<typeof readExports>, added: readonly string[], address: number): Buffer {
  const count = exported.functions.length + added.length;
  const ordinals = new Map([
    ...exported.names,
    ...added.map((name, index) => [name, exported.functions.length + index] as const),
  ]);
  const sorted = [...ordinals.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  const [namesAt, ordinalsAt] = [40 + 4 * count, 40 + 4 * count + 4 * sorted.length];
  const textsAt = align(ordinalsAt + 2 * sorted.length, 4);
  const texts: Buffer[] = [];
  let end = textsAt;
  const addText = (text: string): number => {
    const bytes = Buffer.from(`${text}\0`, 'latin1');
    texts.push(bytes);
    end += bytes.length;
    return address + end - bytes.length;
  };
  const forwards = exported.functions.map((where) => {
    const forward = exported.forwardOf(where);
    return forward === null ? where : addText(forward);
  });
  const library = addText(exported.library);
  const nameAddresses = sorted.map(addText);
  const codeAt = align(end, 16);
  const table = Buffer.alloc(codeAt + 3);
  exported.head.copy(table);
  [
    library,
    exported.head.readUInt32LE(16),
    count,
    sorted.length,
    address + 40,
    address + namesAt,
    address + ordinalsAt,
  ].forEach((value, index) => table.writeUInt32LE(value, 12 + 4 * index));
  [...forwards, ...added.map(() => address + codeAt)].forEach((where, index) =>
    table.writeUInt32LE(where, 40 + 4 * index),
  );
  nameAddresses.forEach((where, index) => table.writeUInt32LE(where, namesAt + 4 * index));
  sorted.forEach((name, index) => table.writeUInt16LE(ordinals.get(name) ?? 0, ordinalsAt + 2 * index));
  Buffer.concat(texts).copy(table, textsAt);
  // xor eax, eax; ret
  Buffer.from([0x31, 0xc0, 0xc3]).copy(table, codeAt);
  return table;
}

/** The library with functions of these names that answer 0, in a section of its own; itself when it has them all. */
export function addExports(file: Buffer, wanted: readonly string[]): Buffer {
  const layout = readLayout(file);
  const exported = readExports(file, layout);
  const added = wanted.filter((name) => !exported.names.has(name));
  if (added.length === 0) {
    return file;
  }
  const { header, optional, table, sections } = layout;
  const [sectionAlign, fileAlign] = [file.readUInt32LE(optional + 32), file.readUInt32LE(optional + 36)];
  const address = align(Math.max(...sections.map((section) => section.address + section.size)), sectionAlign);
  const written = writeExports(exported, added, address);
  const [place, size] = [align(file.length, fileAlign), align(written.length, fileAlign)];
  const entry = table + 40 * sections.length;
  if (entry + 40 > Math.min(...sections.map((section) => section.place).filter((one) => one > 0))) {
    throw new Error('no room for the head of another section');
  }
  const whole = Buffer.alloc(place + size);
  file.copy(whole);
  written.copy(whole, place);
  whole.write('.added\0\0', entry, 'latin1');
  // Code that is read and run.
  [written.length, address, size, place, 0, 0, 0, 0x6000_0060].forEach((value, index) =>
    whole.writeUInt32LE(value, entry + 8 + 4 * index),
  );
  whole.writeUInt16LE(sections.length + 1, header + 6);
  whole.writeUInt32LE(address, optional + 112);
  whole.writeUInt32LE(written.length - 3, optional + 116);
  whole.writeUInt32LE(align(address + written.length, sectionAlign), optional + 56);
  return whole;
}

if (import.meta.main) {
  const [path = '', ...names] = process.argv.slice(2);
  writeFileSync(path, addExports(readFileSync(path), names));
}
