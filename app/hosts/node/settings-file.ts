import { existsSync, lstatSync, readFileSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from '../../domain/failure.ts';
import { textOfFile, wideEncodingOf } from '../../domain/file-text.ts';
import { parseJson, writeJson } from '../../domain/json.ts';
import { isObject, type JsonObject } from '../../domain/loose-json.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { SettingsFile } from '../../ports.ts';
import { StorageError } from '../../storage/database.ts';
import { retryWhileHeld } from '../../storage/held-files.ts';
import { freeName } from '../../storage/names-beside.ts';
import { onlyFile } from '../../storage/only-file.ts';
import { writeWhole } from '../../storage/write-whole.ts';

/** The part of conf and electron-store that this app uses. */
export interface JsonFile {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

/** The options with which both kinds of store are opened; `conf` calls the name `configName`. */
export interface JsonFileOptions {
  readonly cwd: string;
  readonly name: string;
}

export interface OpenedSettings {
  readonly settingsFile: SettingsFile;
  readonly jsonFile: JsonFile;
  /** Where a file that could not be read now lies; null when all was well. */
  readonly setAside: string | null;
}

const fileName = 'settings';
const documentKey = 'document';

function asFailure(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  return { kind: code === 'ENOSPC' || code === 'EDQUOT' ? 'storageFull' : 'storageFailed', message };
}

const pathIn = (dataDirectory: string): string => join(dataDirectory, `${fileName}.json`);
const readBytes = (path: string): Buffer => readFileSync(onlyFile(path));

/** Whether the content of the file is one of settings; what lacks a document begins with none. */
const isOfSettings = (content: unknown): boolean =>
  isObject(content) && (content[documentKey] === undefined || isObject(content[documentKey]));

/** A link, as to another disk, stays one. */
function writeInPlace(path: string, text: string): void {
  writeWhole(existsSync(path) ? realpathSync(path) : path, text, { mode: 0o600 });
}

/** Whether there is none, or one that can be read; the store, which reads UTF-8 alone, finds that. */
function makeReadable(path: string): boolean {
  // A link that leads nowhere, as to a disk that is not mounted, is no first run: reading it fails.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return true;
  }
  const bytes = readBytes(path);
  const text = textOfFile(bytes);
  const isReadable = isOfSettings(parseJson(text));
  if (isReadable && wideEncodingOf(bytes) !== null) {
    writeInPlace(path, text);
  }
  return isReadable;
}

/** Writes one value; fails with `storageFull` or `storageFailed`. */
export function writeValue(jsonFile: JsonFile, key: string, value: unknown): Result<void, Failure> {
  try {
    jsonFile.set(key, value);
    return succeed(undefined);
  } catch (error) {
    return fail(asFailure(error));
  }
}

/** What the file has before it is opened; nothing where it cannot be read. */
export function peekSettings(dataDirectory: string): JsonObject {
  try {
    const content = parseJson(textOfFile(readBytes(pathIn(dataDirectory))));
    return isObject(content) ? content : {};
  } catch {
    return {};
  }
}

/** Keeps the content of a file, and writes all of it at each change. */
function keepContent(first: JsonObject, write: (content: JsonObject) => void): JsonFile {
  let content = first;
  return {
    get: (key) => content[key],
    set: (key, value) => {
      const next = { ...content, [key]: value };
      write(next);
      content = next;
    },
  };
}

/**
 * Reads a store of electron-store or conf once, which would read its file at each question: what another program does to
 * the file meanwhile, or a backup that is put back, changes no choices, and the next one writes them all.
 */
export const keepStore = (opened: { store: JsonObject }): JsonFile =>
  keepContent(opened.store, (content) => {
    opened.store = content;
  });

/**
 * Opens the file as electron-store does, for a host without Electron. `set` writes it whole or not at all, and throws what
 * the system says.
 */
export function openJsonFile({ cwd, name }: JsonFileOptions): JsonFile {
  const path = join(cwd, `${name}.json`);
  const read = existsSync(path) ? parseJson(textOfFile(readBytes(path))) : {};
  return keepContent(isObject(read) ? read : {}, (content) => {
    writeInPlace(path, writeJson(content, 2));
  });
}

/** Opens `settings.json` in the data directory. Throws StorageError `storageFull` or `storageFailed`. */
export function openSettings(
  dataDirectory: string,
  now: number,
  openFile: (options: JsonFileOptions) => JsonFile,
): OpenedSettings {
  const path = pathIn(dataDirectory);
  try {
    const setAside = makeReadable(path)
      ? null
      : freeName(`${path}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`);
    if (setAside !== null) {
      retryWhileHeld(() => {
        renameSync(path, setAside);
      });
    }
    const jsonFile = openFile({ cwd: dataDirectory, name: fileName });
    return {
      jsonFile,
      setAside,
      settingsFile: {
        read: () => jsonFile.get(documentKey) ?? null,
        write: (document) => writeValue(jsonFile, documentKey, document),
      },
    };
  } catch (error) {
    throw new StorageError(asFailure(error));
  }
}
