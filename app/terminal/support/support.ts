import { maxBundleLength, type Diagnostics, type SupportBundle } from '../../contract/support.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import type { HandlersOf } from '../../contract/bridge.ts';
import { fileMinute } from '../../domain/days.ts';
import { parseJson } from '../../domain/json.ts';
import { isObject } from '../../domain/loose-json.ts';
import {
  peopleIn,
  redact,
  redactText,
  shapesOfAccount,
  shapesOfPeople,
  type RedactOptions,
} from '../../domain/redact.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { MachineFacts, Ports } from '../../ports.ts';
import { readRateLimit } from '../../rate-limit/calls.ts';
import { clientSecretName } from '../../session/client-secret.ts';
import { vaultUnder } from '../../session/vaults.ts';
import type { Profiles } from '../../settings/profiles.ts';
import type { OpenSettings } from '../../settings/settings.ts';
import { onlyStorageError } from '../../storage/database.ts';
import type { AccessFacts } from '../workspace/shop-state.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Lines of the log on the screen, and in the bundle. */
const linesShown = 200;
const linesSent = 10_000;
const maxLogShownLength = 1_000_000;
/** The characters around a line of the log in the bundle, and around all of them. */
const aroundLine = 16;
/** The rest of the bundle, as it is written. */
const maxDocumentLength = 4_000_000;
const maxFailureLength = 2_000;
const maxNameLength = 500;
const maxUpdates = 200;
const maxAttemptsOf = 50;
const maxLineLength = 4900;

export interface SupportParts {
  readonly ports: Ports;
  readonly settings: OpenSettings;
  readonly profiles: Profiles;
  readonly snapshot: () => TerminalState;
  readonly shops: {
    readonly shop: { readonly workspace: () => Workspace | null };
    readonly accessFacts: () => Pick<AccessFacts, 'person'>;
  };
}

/** The newest lines, each as `write` gives it, whole, as many as the characters allow; the last one newest. */
function newest(
  lines: readonly string[],
  atMost: number,
  characters: number,
  write: (line: string) => string,
): string[] {
  const kept: string[] = [];
  let left = characters;
  for (const line of lines.toReversed()) {
    const written = kept.length < atMost ? write(line) : '';
    left -= written.length + aroundLine;
    if (kept.length === atMost || left < 0) {
      break;
    }
    kept.push(written);
  }
  return kept.toReversed();
}

/** A line of the log is a JSON text as a rule: then its fields are known by their names. */
function withoutSecrets(line: string, options: RedactOptions): string {
  const parsed = parseJson(line);
  return isObject(parsed) ? JSON.stringify(redact(parsed, options)) : redactText(line, options);
}

/** One JSON text of the document and, as far as there is room, the log's newest lines as its last member. */
function bundleOf(document: object, lines: readonly string[], options: RedactOptions): string {
  const write = (value: object): string => JSON.stringify(redact(value, options), undefined, 2);
  const whole = write(document);
  // Only a platform that says very much in very many answers makes it so long.
  const head = whole.length <= maxDocumentLength ? whole : write({ ...document, updates: { unreadable: 'too long' } });
  const log = newest(lines, linesSent, maxBundleLength - head.length, (line) =>
    JSON.stringify(withoutSecrets(line, options)),
  );
  return `${head.slice(0, head.lastIndexOf('\n}'))},\n  "log": [${log.map((line) => `\n    ${line}`).join(',')}\n  ]\n}`;
}

/** Fails with `cancelled` while one is made: the log of a year takes half a second in which nobody is answered. */
function oneAtATime<Value>(make: () => Promise<Value>): () => Promise<Result<Value, Failure>> {
  let isMaking = false;
  return async () => {
    if (isMaking) {
      return fail({ kind: 'cancelled' });
    }
    isMaking = true;
    try {
      return succeed(await make());
    } finally {
      isMaking = false;
    }
  };
}

/** Answers the calls of the support section. */
export function createSupportHandlers({
  ports,
  settings,
  profiles,
  snapshot,
  shops,
}: SupportParts): HandlersOf<'support'> {
  const { clock, shell, vault } = ports;
  const open = shops.shop.workspace;

  async function readKeychain(): Promise<Diagnostics['keychain']> {
    const startedMs = clock.uptimeMs();
    const tookMs = (): number => Math.max(0, Math.round(clock.uptimeMs() - startedMs));
    const profile = profiles.current();
    if (settings.get().mode !== 'platform' || profile === null) {
      return { state: 'notUsed', tookMs: 0, message: null };
    }
    const session = open()?.session;
    const tokenEntry = session?.state().keptIn === 'keychain' ? session.entry() : null;
    const isExpected = tokenEntry !== null || profiles.hasSecretInVault(profile.vaultName);
    // The value is let go at once: only whether it is there counts.
    const read = await vaultUnder(vault, profile.vaultName).read(tokenEntry ?? clientSecretName);
    if (!read.ok) {
      return {
        state: read.failure.kind === 'vaultMoved' ? 'moved' : 'unavailable',
        tookMs: tookMs(),
        message: redactText(read.failure.message ?? '').slice(0, 500) || null,
      };
    }
    const missing = isExpected ? 'locked' : 'empty';
    return { state: read.value === null ? missing : 'works', tookMs: tookMs(), message: null };
  }

  function readMachine(): Promise<MachineFacts | null> {
    return shell.machine?.() ?? Promise.resolve(null);
  }

  async function diagnose(): Promise<Diagnostics> {
    const [machine, keychain] = await Promise.all([readMachine(), readKeychain()]);
    return {
      readAt: clock.now(),
      versions: [{ name: 'Tillside', version: shell.version }, ...(machine?.versions ?? [])],
      machine:
        machine === null
          ? null
          : {
              system: machine.system,
              memoryBytes: machine.memoryBytes,
              freeMemoryBytes: machine.freeMemoryBytes,
              freeDiskBytes: machine.freeDiskBytes,
              dataDirectory: shell.dataDirectory,
              files: machine.files.map(({ name, bytes }) => ({ name: name.slice(-maxNameLength), bytes })),
            },
      clock: open()?.platformClock() ?? null,
      keychain,
      isSafeMode: shell.isSafeMode === true,
      statusFile: shell.statusFile?.() ?? null,
      shopFile: shell.shopFile?.state() ?? null,
      log: newest(shell.readLog?.() ?? [], linesShown, maxLogShownLength, (line) =>
        redactText(line).slice(0, maxLineLength),
      ),
    };
  }

  /** A part that cannot be read just now is named as such; the rest is sent all the same. */
  function attempted<Part>(read: () => Part): Part | { readonly unreadable: string } {
    try {
      return read();
    } catch (error) {
      return { unreadable: onlyStorageError(error).failure.kind };
    }
  }

  async function readBundle(): Promise<SupportBundle> {
    const { log: _shown, ...diagnostics } = await diagnose();
    // What needs a sign-in to be read (`contract/access.ts`) is in no file without one.
    const workspace = shops.accessFacts().person === 'signedIn' ? open() : null;
    const document = {
      about:
        'Tillside support bundle. Secrets are left out and of e-mail addresses only the domain is given, of other names that somebody signs in with nothing; ~ is the home folder of the account that Tillside runs under, [user] its name.',
      diagnostics,
      state: attempted(snapshot),
      settings: settings.get(),
      unreadable: workspace === null ? null : attempted(() => workspace.catalogue.unreadable()),
      rateLimit:
        workspace === null ? null : attempted(() => readRateLimit(workspace, settings.get().allowanceLimits, clock)),
      updates:
        workspace === null
          ? null
          : attempted(() =>
              workspace.queueRepository.history
                .list([], 0, maxUpdates)
                .rows.map((row) => ({
                  ...row,
                  failure: row.failure?.slice(0, maxFailureLength) ?? null,
                  attempts: workspace.queueRepository.history.attemptsOf(row.id).slice(-maxAttemptsOf),
                })),
            ),
    };
    const text = bundleOf(document, shell.readLog?.() ?? [], {
      withoutPeople: true,
      more: [
        ...(shell.account === undefined ? [] : shapesOfAccount(shell.account)),
        ...shapesOfPeople(peopleIn(document)),
      ],
    });
    const now = clock.now();
    return { name: `tillside-support-${fileMinute(now, shell.offsetMinutes(now))}.json`, text };
  }

  return { 'support:diagnose': async () => succeed(await diagnose()), 'support:readBundle': oneAtATime(readBundle) };
}
