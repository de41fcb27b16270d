// The text of the entry by which a Linux desktop starts Tillside at sign-in
// (https://specifications.freedesktop.org/autostart-spec), where it lies, and what Windows' has of it.
import { join } from 'node:path';
import { homeOfUser } from '../node/home.ts';

export interface AutostartFacts {
  /** Absolute: the AppImage, or the installed program. */
  readonly program: string;
  /** The flags to start it with. */
  readonly flags: readonly string[];
}

/** Quotes one argument of Exec (https://specifications.freedesktop.org/desktop-entry-spec, "The Exec key"). */
function quote(argument: string): string {
  const quoted = `"${argument.replaceAll(/["`$\\]/g, String.raw`\$&`)}"`;
  // The value is a string, in which a backslash is escaped once more; a per cent sign would be a field code.
  return quoted.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}

/** The entry's text. Throws for a path that no entry can hold. */
export function writeAutostartEntry({ program, flags }: AutostartFacts): string {
  const command = [program, ...flags];
  if (command.some((argument) => /[\n\r\0]/.test(argument))) {
    throw new RangeError('a path with a line break cannot be started at sign-in');
  }
  // Whatever removes the program cannot remove each user's entry: a desktop passes over one whose TryExec is gone.
  const tried = program.replaceAll('\\', '\\\\');
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Tillside',
    `TryExec=${tried}`,
    `Exec=${command.map(quote).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * A flag as Windows' entry holds it: Electron joins them as they are, and a path ends at a blank. What stands before the
 * last quotation mark would take it along (CommandLineToArgvW).
 */
export function quoteForWindows(argument: string): string {
  return /\s/.test(argument) ? `"${argument.replace(/\\+$/, '$&$&')}"` : argument;
}

/** Whether this entry starts anything: a person may have switched it off in the desktop's own settings. */
export function isAutostartEntryOn(entry: string): boolean {
  return !/^Hidden\s*=\s*true\s*$/im.test(entry) && !/^X-GNOME-Autostart-enabled\s*=\s*false\s*$/im.test(entry);
}

/** Where the entry lies for this user. */
export function autostartEntryPath(
  home = homeOfUser(),
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): string {
  const named = environment['XDG_CONFIG_HOME'] ?? '';
  return join(named.startsWith('/') ? named : join(home, '.config'), 'autostart', 'tillside.desktop');
}
