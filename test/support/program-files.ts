/** The beginning of an AppImage: ELF for 64 bits, little-endian, type 2 of AppImage's specification. */
export function appImageFor(architecture: 'x64' | 'arm64', content: Buffer = Buffer.alloc(100)): Buffer {
  const header = Buffer.alloc(64);
  header.write('\u{7F}ELF\u{2}\u{1}\u{1}\0AI\u{2}', 'latin1');
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(architecture === 'x64' ? 62 : 183, 18);
  return Buffer.concat([header, content]);
}

/** The beginning of a program for Windows; NSIS' own is for 32 bits. */
export function windowsProgramFor(machine: number): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.write('MZ', 'latin1');
  bytes.writeUInt32LE(128, 60);
  bytes.write('PE\0\0', 128, 'latin1');
  bytes.writeUInt16LE(machine, 132);
  return bytes;
}

/**
 * A program for Linux on x64 with the header of an AppImage, which starts the script at this path with its own
 * parameters: execve("/bin/sh", ["/bin/sh", script, ...], environment).
 */
export function appImageThatRuns(script: string): Buffer {
  const code = Buffer.from(
    '488b0424' + // mov rax, [rsp]: how many parameters
      '488d54c410' + // lea rdx, [rsp + rax * 8 + 16]: the environment
      '488d3d00000000' + // lea rdi, [rip + the shell]
      '48893c24' + // mov [rsp], rdi
      '488d0d00000000' + // lea rcx, [rip + the script]
      '48894c2408' + // mov [rsp + 8], rcx
      '4889e6' + // mov rsi, rsp
      'b83b000000' + // mov eax, 59
      '0f05', // syscall
    'hex',
  );
  const shell = Buffer.from('/bin/sh\0');
  code.writeInt32LE(code.length - 16, 12);
  code.writeInt32LE(code.length + shell.length - 27, 23);
  const body = Buffer.concat([code, shell, Buffer.from(`${script}\0`)]);
  const program = Buffer.alloc(56);
  const start = 64 + program.length;
  const base = 0x40_00_00n;
  program.writeUInt32LE(1, 0);
  program.writeUInt32LE(5, 4);
  program.writeBigUInt64LE(base, 16);
  program.writeBigUInt64LE(base, 24);
  program.writeBigUInt64LE(BigInt(start + body.length), 32);
  program.writeBigUInt64LE(BigInt(start + body.length), 40);
  program.writeBigUInt64LE(0x10_00n, 48);
  const file = appImageFor('x64', Buffer.concat([program, body]));
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(base + BigInt(start), 24);
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  return file;
}
