import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, succeed, type Result } from '../app/domain/result.ts';
import { projectDirectory } from './project.ts';

export interface RuntimeFacts {
  readonly kind: 'folder' | 'installers';
  /** The version in package.json; exact. */
  readonly namedVersion: string;
  /** Of the runtime of `npm run electron:from-registry`; null when there is none. */
  readonly evaluationVersion: string | null;
  /** The value of ELECTRON_OVERRIDE_DIST_PATH. */
  readonly overridden: string;
}

export interface RuntimeChoice {
  readonly version: string;
  readonly isForEvaluation: boolean;
}

/** Chooses the runtime. Fails with one sentence. */
export function chooseRuntime({
  kind,
  namedVersion,
  evaluationVersion,
  overridden,
}: RuntimeFacts): Result<RuntimeChoice, string> {
  if (!/^\d+\.\d+\.\d+$/.test(namedVersion)) {
    return fail(`package.json must name one exact version of electron, not "${namedVersion}"`);
  }
  if (kind === 'installers') {
    return overridden === ''
      ? succeed({ version: namedVersion, isForEvaluation: false })
      : fail('Installers hold the runtime that package.json names, from its makers; unset ELECTRON_OVERRIDE_DIST_PATH');
  }
  return succeed(
    evaluationVersion === null
      ? { version: namedVersion, isForEvaluation: false }
      : { version: evaluationVersion, isForEvaluation: true },
  );
}

/** Why what was packaged must not go out as an installer; null when it may. */
export function findForeignRuntime(packagedVersion: string, namedVersion: string): string | null {
  return packagedVersion === namedVersion
    ? null
    : `what was packaged is Electron ${packagedVersion}, and package.json names ${namedVersion}`;
}

/** What electron-builder is told of the runtime. */
export interface RuntimeToPackage {
  readonly electronVersion: string;
  readonly electronDist?: string;
  readonly electronDownload?: { readonly checksums: Record<string, string> };
}

/**
 * Of the runtime that is fetched from its makers, electron-builder would believe the digests that stand beside it. Those
 * of their package have a digest of their own, in the lockfile. `directory` holds the one for evaluation.
 */
export function runtimeOf({ version, isForEvaluation }: RuntimeChoice, directory: string): RuntimeToPackage {
  if (isForEvaluation) {
    return { electronVersion: version, electronDist: directory };
  }
  const path = join(projectDirectory, 'node_modules', 'electron', 'checksums.json');
  const checksums = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  return { electronVersion: version, electronDownload: { checksums } };
}
