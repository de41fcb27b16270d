import { readFileSync, readdirSync } from 'node:fs';

/** The resources that a process and all that it has started have used so far, by the kernel's own books. */
export interface TreeUse {
  /** How often a thread slept and was woken. */
  readonly wakeUps: number;
  readonly processorMs: number;
  readonly writtenBytes: number;
  /** Memory of their own, and their part of what they share, now. */
  readonly residentBytes: number;
}

const nothing: TreeUse = { wakeUps: 0, processorMs: 0, writtenBytes: 0, residentBytes: 0 };

/** Empty for a process or thread that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

function threadsOf(processId: string): readonly string[] {
  try {
    return readdirSync(`/proc/${processId}/task`).map((thread) => `/proc/${processId}/task/${thread}`);
  } catch {
    return [];
  }
}

function processesUnder(rootId: number): readonly string[] {
  const children = new Map<string, string[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = /\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1] ?? '';
    children.set(parent, [...(children.get(parent) ?? []), name]);
  }
  const under = (processId: string): readonly string[] => [
    processId,
    ...(children.get(processId) ?? []).flatMap((child) => under(child)),
  ];
  return under(String(rootId));
}

/** The use of the process with this number and of those under it; Linux only. */
export function readTree(rootId: number): TreeUse {
  return processesUnder(rootId).reduce((sum, id) => {
    const threads = threadsOf(id);
    return {
      wakeUps:
        sum.wakeUps +
        threads.reduce(
          (woken, thread) => woken + numberIn(read(`${thread}/status`), /^voluntary_ctxt_switches:\s+(\d+)/m),
          0,
        ),
      processorMs:
        sum.processorMs +
        threads.reduce((used, thread) => used + numberIn(read(`${thread}/schedstat`), /^(\d+)/) / 1e6, 0),
      writtenBytes: sum.writtenBytes + numberIn(read(`/proc/${id}/io`), /^write_bytes: (\d+)/m),
      residentBytes: sum.residentBytes + numberIn(read(`/proc/${id}/smaps_rollup`), /^Pss:\s+(\d+) kB/m) * 1024,
    };
  }, nothing);
}
