import { fail, succeed, type Result } from '../app/domain/result.ts';

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
