import { readSheet } from 'read-excel-file/node';
import type { Language } from '../../../../app/contract/basics.ts';
import type { FileKind } from '../../../../app/contract/limits/files.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import type { FileList } from '../../../../renderer/files/columns.ts';
import { writeList, type FileProgress } from '../../../../renderer/files/write-list.ts';

interface Written {
  readonly result: Awaited<ReturnType<typeof writeList>>;
  readonly progress: readonly FileProgress[];
  readonly bytes: Uint8Array;
}

/** Writes a list to the bytes of a file. */
export async function write<Row>(
  list: FileList<Row>,
  kind: FileKind,
  language: Language,
  signal = new AbortController().signal,
): Promise<Written> {
  const progress: FileProgress[] = [];
  const result = await writeList(list, { kind, language, onProgress: (now) => progress.push(now), signal });
  const bytes = new Uint8Array(await new Blob(result.ok ? [...result.value] : []).arrayBuffer());
  return { result, progress, bytes };
}

/** A bridge that answers from its pages, the next one at each call of a channel. */
export function bridgeOf(pages: Readonly<Record<string, readonly unknown[]>>) {
  const inputs: unknown[] = [];
  const turns = new Map<string, number>();
  const call = (channel: string, input: unknown): Promise<unknown> => {
    const turn = turns.get(channel) ?? 0;
    turns.set(channel, turn + 1);
    inputs.push(input);
    return Promise.resolve(pages[channel]?.[turn]);
  };
  return { bridge: { call, subscribe: () => () => undefined } as unknown as Bridge, inputs };
}

/** The first sheet of a workbook, as other people's reader reads it. */
export async function readWorkbook(bytes: Uint8Array): Promise<unknown[][]> {
  const sheet = await readSheet(Buffer.from(bytes), { trim: false });
  return sheet.map((cells) =>
    cells.map((cell) => {
      if (typeof cell === 'string') {
        // A spreadsheet program shows what `_xHHHH_` means, this reader what it says.
        return cell.replaceAll('_x005F_', '_');
      }
      // A part of a day is no binary fraction: the reader is some microseconds off.
      return cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell;
    }),
  );
}
