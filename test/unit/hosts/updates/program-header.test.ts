import { expect, test } from 'vitest';
import { isUpdateFor, readProgramHeader } from '../../../../app/hosts/updates/program-header.ts';
import { appImageFor, windowsProgramFor } from '../../../support/program-files.ts';

const [linux, linuxArm] = [
  { platform: 'linux', architecture: 'x64' },
  { platform: 'linux', architecture: 'arm64' },
];
const windows = { platform: 'win32', architecture: 'x64' };

test('an AppImage is for the processor that its ELF header names, and a bare program is none (U9)', () => {
  expect(readProgramHeader(appImageFor('arm64'))).toEqual({ kind: 'AppImage', architecture: 'arm64' });
  expect(isUpdateFor(readProgramHeader(appImageFor('x64')), linux)).toBe(true);
  expect(isUpdateFor(readProgramHeader(appImageFor('arm64')), linux)).toBe(false);
  expect(isUpdateFor(readProgramHeader(appImageFor('x64')), linuxArm)).toBe(false);
  const bare = appImageFor('x64').fill(0, 8, 11);
  expect(readProgramHeader(bare)).toEqual({ kind: 'ELF', architecture: 'x64' });
  expect(isUpdateFor(readProgramHeader(bare), linux)).toBe(false);
});

test('an installer for Windows is a PE of 32 bits or of this processor (U9)', () => {
  expect(isUpdateFor(readProgramHeader(windowsProgramFor(0x01_4c)), windows)).toBe(true);
  expect(isUpdateFor(readProgramHeader(windowsProgramFor(0x86_64)), windows)).toBe(true);
  expect(isUpdateFor(readProgramHeader(windowsProgramFor(0xaa_64)), windows)).toBe(false);
  expect(isUpdateFor(readProgramHeader(windowsProgramFor(0x86_64)), linux)).toBe(false);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a script', Buffer.from('#!/bin/sh\nexit 0\n')],
  ['ELF that is cut off', appImageFor('x64').subarray(0, 18)],
  ['MZ alone', windowsProgramFor(0x86_64).subarray(0, 64)],
  ['MZ that points outside', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100, 0xff)])],
])('%s is no program for any machine', (_words, bytes) => {
  const header = readProgramHeader(bytes);
  expect([linux, linuxArm, windows].some((machine) => isUpdateFor(header, machine))).toBe(false);
});
