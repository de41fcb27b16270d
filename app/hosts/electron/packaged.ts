// What an installed app may be started with: all that is not listed here is refused before anything is opened.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { flagNames, nearestFlag } from '../flags.ts';
import { wordsFor } from '../messages.ts';

/** No value, as of a switch that is only there or not. */
const none = /^$/;

/**
 * Chromium's switches that shops and packagers need, with the values that are taken. Each chooses how the screen is
 * drawn or touched, or where Chromium keeps the key of cookies, of which there are none: no value reaches a file, an
 * address, a script or a wall.
 */
const harmless: ReadonlyMap<string, RegExp> = new Map([
  ['disable-gpu', none],
  ['force-device-scale-factor', /^\d(?:\.\d{1,3})?$/],
  ['gtk-version', /^[34]$/],
  ['ozone-platform', /^(?:wayland|x11)$/],
  ['ozone-platform-hint', /^(?:auto|wayland|x11)$/],
  ['password-store', /^(?:basic|gnome-libsecret|kwallet[56]?)$/],
  ['touch-devices', /^\d{1,3}(?:,\d{1,3}){0,9}$/],
  ['touch-events', /^(?:auto|disabled|enabled)$/],
  // The installer of an update (NSIS) starts the app with it.
  ['updated', none],
]);

/** The arguments of an older macOS' own, which come with an app that was just fetched. */
const ofMacOs = /^-psn_\d+_\d+$/;

/**
 * A file of this name among the package's resources lets a debugger in: for tests of the package as it ships. Who can
 * put it there could put another app there as well (decisions/0020).
 */
const debuggingMark = 'debugging-allowed';

export interface PackagedStart {
  /** The command line as the system gave it, without the program. */
  readonly args: readonly string[];
  readonly system: NodeJS.Platform;
  readonly isRoot: boolean;
  /** The folder that app.asar lies in. */
  readonly resourcesPath: string;
}

/** What is refused, as a person may read it, and what was meant in its stead. */
export interface RefusedArgument {
  readonly argument: string;
  /** A flag of ours that is spelt almost so. */
  readonly meant: string | null;
  /** It stands behind "--", where it would do nothing. */
  readonly isBehind: boolean;
}

/**
 * Whether Chromium, or Node in it, could take this for a switch: base/command_line.cc passes over blanks before it, is
 * content with one dash and, on Windows, with a slash. Here more counts as a blank, so that nothing slips by.
 */
function isLikeSwitch(argument: string, system: NodeJS.Platform): boolean {
  const [first = ''] = argument.replace(/^[\s\p{C}]+/u, '');
  return first === '-' || (first === '/' && system === 'win32');
}

function isAllowed(argument: string, { system, isRoot, resourcesPath }: PackagedStart): boolean {
  if (system === 'darwin' && ofMacOs.test(argument)) {
    return true;
  }
  const [, name = '', value = ''] = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
  switch (name) {
    case 'no-sandbox':
      // Without the sandbox runs who cannot have it: root on Linux.
      return system === 'linux' && isRoot && argument === '--no-sandbox';
    case 'remote-debugging-port':
      return /^\d{1,5}$/.test(value) && existsSync(join(resourcesPath, debuggingMark));
    default:
      return flagNames.has(name) || harmless.get(name)?.test(value) === true;
  }
}

/** Of an argument that may be anything: what a person recognizes it by, and no secret that follows an unknown name. */
function shown(argument: string): string {
  const [, name = ''] = /^[\s\p{C}]*(\S+?)(?:[=\s].*)?$/su.exec(argument) ?? [];
  const isKnown = harmless.has(name.replace(/^--/, ''));
  return (isKnown ? argument : name).replaceAll(/\p{C}/gu, '').slice(0, 100);
}

/** The first argument that an installed app refuses to start with; null when there is none. */
export function refusedArgument(start: PackagedStart): RefusedArgument | null {
  const { args, system } = start;
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const refused = args.find((argument, place) =>
    place < end
      ? isLikeSwitch(argument, system) && !isAllowed(argument, start)
      : // To Chromium nothing here is a switch: a desktop's entry and a link's stand there.
        place > end && argument.startsWith('-'),
  );
  if (refused === undefined) {
    return null;
  }
  const argument = shown(refused);
  const like = argument.startsWith('--') ? nearestFlag(argument.slice(2)) : null;
  return { argument, meant: like === null ? null : `--${like}`, isBehind: args.indexOf(refused) > end };
}

/** Why the app does not start, in the language of this tag. */
export function describeRefusedArgument({ argument, meant, isBehind }: RefusedArgument, tag: string): string {
  const said = wordsFor(tag).electron;
  if (isBehind) {
    return said.switchBehind.replace('{switch}', () => argument);
  }
  if (argument === '--no-sandbox') {
    return said.noSandboxRefused;
  }
  const refused = said.switchRefused.replace('{switch}', () => argument);
  return meant === null ? refused : `${refused} ${said.switchMeant.replace('{like}', () => meant)}`;
}
