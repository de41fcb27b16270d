// Secrets stand in the configuration by the name of an environment variable or of a file that its owner alone can read.
import type { Stats } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { textOfFile } from '../domain/file-text.ts';
import { readOnlyFile } from '../storage/only-file.ts';

/** Where a secret is. */
export const secret = z.union(
  [z.strictObject({ env: z.string().min(1).max(200) }), z.strictObject({ file: z.string().min(1).max(1000) })],
  'must be {"env": "NAME"} or {"file": "PATH"}, never the secret itself',
);
type Secret = z.infer<typeof secret>;

/** A value of the configuration with each secret in it read. */
export type WithSecrets<Value> = Value extends string
  ? Value
  : Value extends Secret
    ? string
    : Value extends object
      ? { readonly [Key in keyof Value]: WithSecrets<Value[Key]> }
      : Value;

/** Whether other users of this machine may read or write the file. */
export const isOpenToOthers = ({ mode }: Pick<Stats, 'mode'>): boolean =>
  process.platform !== 'win32' && (mode & 0o077) !== 0;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the secrets of a configuration, files from its own folder. */
export class SecretReader {
  /** What is wrong with those that were read, a sentence each. */
  readonly faults: string[] = [];
  readonly #directory: string;
  readonly #environment: Environment;

  constructor(directory: string, environment: Environment) {
    this.#directory = directory;
    this.#environment = environment;
  }

  /** The value with each secret in it read. */
  readAll<Value>(value: Value, field = ''): WithSecrets<Value> {
    return this.#resolve(value, field) as WithSecrets<Value>;
  }

  #resolve(value: unknown, field: string): unknown {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const nameOf = (name: string | number): string => (field === '' ? String(name) : `${field}.${name}`);
    if (Array.isArray(value)) {
      return value.map((item, place) => this.#resolve(item, nameOf(place)));
    }
    const { success, data } = secret.safeParse(value);
    return success
      ? this.#read(field, data)
      : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#resolve(item, nameOf(name))]));
  }

  #read(field: string, given: Secret): string {
    const value = 'env' in given ? this.#environment[given.env] : this.#readFile(field, given.file);
    if (value === undefined) {
      this.faults.push(`${field}: the environment has no ${'env' in given ? given.env : ''}`);
    } else if (value === '') {
      this.faults.push(`${field} is empty`);
    }
    return value ?? '';
  }

  #readFile(field: string, file: string): string {
    const path = resolve(this.#directory, file);
    try {
      const bytes = readOnlyFile(path, (found) => {
        if (isOpenToOthers(found)) {
          this.faults.push(`${field}: others may read ${file}; run chmod 600 on it`);
        }
      });
      return textOfFile(bytes).trim();
    } catch (error) {
      this.faults.push(`${field}: ${file} cannot be read (${error instanceof Error ? error.message : String(error)})`);
      return 'unreadable';
    }
  }
}
