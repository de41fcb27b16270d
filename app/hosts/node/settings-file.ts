import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from '../../domain/failure.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { SettingsFile } from '../../ports.ts';
import { StorageError } from '../../storage/database.ts';
import { retryWhileHeld } from '../../storage/held-files.ts';
import { freeName } from '../../storage/names-beside.ts';
import { onlyFile } from '../../storage/only-file.ts';

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

function isReadable(path: string): boolean {
  if (!existsSync(path)) {
    return true;
  }
  try {
    const content: unknown = JSON.parse(readFileSync(onlyFile(path), 'utf8'));
    return typeof content === 'object' && content !== null && !Array.isArray(content);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return false;
    }
    throw error;
  }
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

/** A value as the file has it before it is opened; undefined where it cannot be read. */
export function peekValue(dataDirectory: string, key: string): unknown {
  try {
    const content = JSON.parse(readFileSync(onlyFile(join(dataDirectory, `${fileName}.json`)), 'utf8')) as unknown;
    return (content as Readonly<Record<string, unknown>> | null)?.[key];
  } catch {
    return undefined;
  }
}

/** Opens `settings.json` in the data directory. Throws StorageError `storageFull` or `storageFailed`. */
export function openSettings(
  dataDirectory: string,
  now: number,
  openJsonFile: (options: JsonFileOptions) => JsonFile,
): OpenedSettings {
  const path = join(dataDirectory, `${fileName}.json`);
  try {
    const setAside = isReadable(path)
      ? null
      : freeName(`${path}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`);
    if (setAside !== null) {
      retryWhileHeld(() => {
        renameSync(path, setAside);
      });
    }
    const jsonFile = openJsonFile({ cwd: dataDirectory, name: fileName });
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
