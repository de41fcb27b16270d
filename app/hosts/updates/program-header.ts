import { closeSync, openSync, readSync } from 'node:fs';
import type { Machine } from './feed.ts';

/** The system and processor that a file names in its first bytes. */
export interface ProgramHeader {
  readonly kind: 'AppImage' | 'ELF' | 'PE' | 'Mach-O' | 'zip';
  /** As Node names it; null where the header names none that is known here. */
  readonly architecture: 'x64' | 'arm64' | 'ia32' | null;
}

const elfMachines: ReadonlyMap<number, ProgramHeader['architecture']> = new Map([
  [3, 'ia32'],
  [62, 'x64'],
  [183, 'arm64'],
]);
const peMachines: ReadonlyMap<number, ProgramHeader['architecture']> = new Map([
  [0x01_4c, 'ia32'],
  [0x86_64, 'x64'],
  [0xaa_64, 'arm64'],
]);
const machOProcessors: ReadonlyMap<number, ProgramHeader['architecture']> = new Map([
  [0x01_00_00_07, 'x64'],
  [0x01_00_00_0c, 'arm64'],
]);

const startBytes = 4096;

/**
 * Reads the first bytes of a file: ELF (`e_machine`), with the AppImage specification's magic in `e_ident`; PE
 * (`Machine`); Mach-O for 64 bits; zip. Null for anything else.
 */
export function readProgramHeader(start: Buffer): ProgramHeader | null {
  if (start.length >= 20 && start.toString('latin1', 0, 4) === '\u{7F}ELF') {
    // Both processors that the app is made for are little-endian, with 64 bits or 32.
    const architecture = start[5] === 1 ? (elfMachines.get(start.readUInt16LE(18)) ?? null) : null;
    return { kind: start.toString('latin1', 8, 11) === 'AI\u{2}' ? 'AppImage' : 'ELF', architecture };
  }
  if (start.length >= 64 && start.toString('latin1', 0, 2) === 'MZ') {
    const at = start.readUInt32LE(60);
    return at + 6 <= start.length && start.toString('latin1', at, at + 4) === 'PE\0\0'
      ? { kind: 'PE', architecture: peMachines.get(start.readUInt16LE(at + 4)) ?? null }
      : null;
  }
  if (start.length >= 8 && start.readUInt32LE(0) === 0xfe_ed_fa_cf) {
    return { kind: 'Mach-O', architecture: machOProcessors.get(start.readUInt32LE(4)) ?? null };
  }
  return start.length >= 4 && start.toString('latin1', 0, 4) === 'PK\u{3}\u{4}'
    ? { kind: 'zip', architecture: null }
    : null;
}

/** As readProgramHeader, of the file at this path. Throws when it cannot be read. */
export function readProgramHeaderOf(path: string): ProgramHeader | null {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(startBytes);
    return readProgramHeader(start.subarray(0, readSync(file, start, 0, startBytes, 0)));
  } finally {
    closeSync(file);
  }
}

/** Whether what has this header can take the place of the app on this machine. */
export function isUpdateFor(header: ProgramHeader | null, { platform, architecture }: Machine): boolean {
  switch (platform) {
    case 'linux':
      return header?.kind === 'AppImage' && header.architecture === architecture;
    case 'win32':
      // NSIS' own part of an installer is for 32 bits, whatever it installs.
      return header?.kind === 'PE' && (header.architecture === architecture || header.architecture === 'ia32');
    case 'darwin':
      return header?.kind === 'zip';
    default:
      return false;
  }
}
