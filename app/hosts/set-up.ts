import type { Result } from '../domain/result.ts';
import type { Clock, Http, Random, Shell, ShopFileSource } from '../ports.ts';
import type { Provision } from '../terminal/provisioning/provisioning.ts';
import type { DeviceChoices, MachineChoices, ShopSource } from './node/device-choices.ts';
import type { JsonFile } from './node/settings-file.ts';

/** The contents of a provisioning file: for the terminal, and for the machine that it runs on. */
export interface SetUpFile extends Provision {
  readonly device: MachineChoices;
}

export interface PublishedFile extends ShopFileSource {
  /** The newest file that was good when it came, and whether it is to be used now; null where there is none. */
  kept(): { readonly file: SetUpFile; readonly isDue: boolean } | null;
  /** Whether one has been used before, also where it is lost. */
  wasUsed(): boolean;
  noteUsed(): void;
  /** Begins to read it now and then. */
  begin(): void;
  close(): void;
}

export interface PublishedFileParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly log: Shell['log'];
  readonly dataDirectory: string;
  /** The terminal's settings. */
  readonly jsonFile: JsonFile;
  readonly source: ShopSource;
}

export interface SetUpOptions {
  /** The file that was named for this start. */
  readonly file: SetUpFile | null;
  /** Whether it is named for every start: the shop's own at its address then comes before it. */
  readonly isFileLasting: boolean;
  /** The choices about the machine in a file that this host obeys. */
  readonly choicesOf: (device: MachineChoices) => DeviceChoices;
  /** How the shop's file at its address is read. */
  readonly openPublished: (parts: PublishedFileParts) => PublishedFile;
  /** Reads a file that was opened on the screen. Fails with one sentence a field, in the language of this tag. */
  readonly readFile: (text: string, tag: string) => Result<SetUpFile, readonly string[]>;
}

/**
 * Which file sets the terminal up at this start, if any; the shop's own does it once, and at no start that leaves it
 * alone.
 */
export function chooseFile(
  { file, isFileLasting }: Pick<SetUpOptions, 'file' | 'isFileLasting'>,
  published: PublishedFile | null,
  isPublishedLeftAlone = false,
): { readonly file: SetUpFile | null; readonly noteUsed: () => void } {
  const kept = published?.kept() ?? null;
  if (file !== null && !(isFileLasting && (kept !== null || published?.wasUsed() === true))) {
    return { file, noteUsed: () => undefined };
  }
  return kept?.isDue === true && !isPublishedLeftAlone
    ? { file: kept.file, noteUsed: () => published?.noteUsed() }
    : { file: null, noteUsed: () => undefined };
}
