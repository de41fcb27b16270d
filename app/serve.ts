import './hosts/node/plain-schemas.ts';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openBrowserHost } from './hosts/browser/server.ts';
import { defaultDataDirectory, prepareDataDirectory } from './hosts/node/data-directory.ts';
import type { DeviceChoices } from './hosts/node/device-choices.ts';
import { parseFlags, usage } from './hosts/flags.ts';
import { createPgLink } from './hosts/hub/pg-link.ts';
import { runHubCommand } from './hosts/hub/set-up.ts';
import { runLookup } from './hosts/programs/command.ts';
import { createLoopback } from './hosts/programs/loopback.ts';
import { openPrograms } from './hosts/programs/server.ts';
import { checkProvision } from './hosts/provisioning/check.ts';
import { describeIgnored, describeProvisionFailure } from './hosts/provisioning/messages.ts';
import { createNodeClock } from './hosts/node/node-ports.ts';
import { readNamedProvision } from './hosts/provisioning/file.ts';
import { setUpBy } from './hosts/provisioning/set-up.ts';
import { openJsonFile } from './hosts/node/settings-file.ts';
import { startTerminal } from './hosts/start.ts';
import { describeStartError, wordsFor } from './hosts/messages.ts';

/**
 * A terminal that does not close in this time is left to the operating system; nothing that is durable depends on it.
 */
const closingDeadlineMs = 8000;

function stop(message: string, exitCode: number): never {
  process.stderr.write(`${message.trimEnd()}\n`);
  process.exit(exitCode);
}

const ownLanguage = new Intl.DateTimeFormat().resolvedOptions().locale;
const parsed = parseFlags(process.argv.slice(2), {
  ignoreUnknown: false,
  environment: process.env,
  systemLanguage: ownLanguage,
});
if (!parsed.ok) {
  stop(`${parsed.failure}\n\n${usage}`, 2);
}
const flags = parsed.value;
if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const systemLanguage = flags.language ?? ownLanguage;
if (flags.hub !== null) {
  const { lines, exitCode } = await runHubCommand(flags.hub, { language: systemLanguage, environment: process.env });
  if (exitCode !== 0) {
    stop(lines.join('\n'), exitCode);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exit(0);
}
const dataDirectory = flags.dataDirectory ?? defaultDataDirectory();
if (flags.lookup !== null) {
  const asked = await runLookup({ ...flags.lookup, dataDirectory, language: systemLanguage });
  process.stderr.write(asked.complaint);
  await new Promise((written) => process.stdout.write(asked.output, written));
  process.exit(asked.exitCode);
}
/** The others are an installed app's. */
const choicesOf = ({ statusFile, source }: DeviceChoices): DeviceChoices => ({
  ...(statusFile === undefined ? {} : { statusFile }),
  ...(source === undefined ? {} : { source }),
});
if (flags.checkPath !== null) {
  const { lines, exitCode } = await checkProvision({
    path: flags.checkPath,
    dataDirectory,
    language: systemLanguage,
    choicesOf,
    startsAtSignIn: null,
  });
  if (exitCode === 2) {
    stop(lines.join('\n'), exitCode);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exit(exitCode);
}
const provision = readNamedProvision(flags);
if (!provision.ok) {
  stop(describeProvisionFailure(flags.provisionPath ?? '', provision.failure, systemLanguage), 2);
}
for (const warning of [...flags.warnings, ...describeIgnored(flags, provision.value, 'browser', systemLanguage)]) {
  process.stderr.write(`${warning}\n`);
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const rendererDirectory = fileURLToPath(new URL('../dist/renderer', import.meta.url));

try {
  const started = await startTerminal({
    openHub: createPgLink,
    openLocalApi: createLoopback,
    host: 'browser',
    version,
    dataDirectory: prepareDataDirectory(dataDirectory),
    systemLanguage,
    setUp: setUpBy(provision.value, flags, choicesOf),
    statusPath: flags.statusPath,
    forgetPin: flags.forgetPin,
    training: flags.training,
    trainingOf: flags.trainingOf,
    isSafeMode: flags.safeMode,
    rendererDirectory,
    checkpointWorkerPath: fileURLToPath(new URL('storage/checkpoint-worker.ts', import.meta.url)),
    openJsonFile,
  });
  const programs = await openPrograms({
    dataDirectory,
    handlers: started.terminal.handlers,
    log: started.log,
    clock: createNodeClock(),
  });
  const host = await openBrowserHost({
    handlers: started.terminal.handlers,
    subscribe: (listener) => started.terminal.subscribe(listener),
    log: started.log,
    rendererDirectory,
    port: flags.port,
    language: systemLanguage,
    onAddress: (address) => {
      process.stdout.write(`Tillside is at ${address}\n`);
    },
  });
  let isEnding = false;
  const end = (): void => {
    if (isEnding) {
      return;
    }
    isEnding = true;
    setTimeout(() => started.endProcess(() => process.exit(1)), closingDeadlineMs).unref();
    void Promise.all([host.close(), programs.close()])
      .then(() => started.close())
      .then(
        () => started.endProcess(() => process.exit(0)),
        (error: unknown) => stop(String(error), 1),
      );
  };
  // SIGHUP: the terminal's window was closed, on Windows the console.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, end);
  }
  // Whoever read the address may close the pipe; the host goes on.
  process.stdout.on('error', () => undefined);
} catch (error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  stop(
    code === 'EADDRINUSE'
      ? wordsFor(systemLanguage).start.portInUse.replace('{port}', String(flags.port))
      : describeStartError(error, systemLanguage, dataDirectory),
    1,
  );
}
