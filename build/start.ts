import { isCommand, parseFlags, usage } from '../app/hosts/flags.ts';
import { electronEnvironment, obtainElectron } from './electron-runtime.ts';
import { become, buildStale, endWithParent, say, serve } from './launch.ts';
import { projectDirectory } from './project.ts';

function hasDisplay(): boolean {
  const { DISPLAY = '', WAYLAND_DISPLAY = '' } = process.env;
  return process.platform !== 'linux' || DISPLAY !== '' || WAYLAND_DISPLAY !== '';
}

const flags = process.argv.slice(2);
const parsed = parseFlags(flags, {
  ignoreUnknown: false,
  systemLanguage: new Intl.DateTimeFormat().resolvedOptions().locale,
});
if (!parsed.ok) {
  say(`${parsed.failure}\n\n${usage}`);
  process.exit(2);
}
if (parsed.value.help) {
  process.stdout.write(usage);
  process.exit(0);
}

endWithParent();
if (isCommand(flags)) {
  // It answers in the terminal and ends; no window and no page has a part in it.
  await import('../app/serve.ts');
} else {
  const electron = hasDisplay() ? obtainElectron(say) : ({ ok: false, failure: 'There is no display here' } as const);
  if (electron.ok) {
    await buildStale();
    // Chromium refuses to run its sandbox as root.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      say("Running as root: Chromium's sandbox is off (--no-sandbox). Use an ordinary account at a real till.");
    }
    become(electron.value, [...(isRoot ? ['--no-sandbox'] : []), projectDirectory, ...flags], electronEnvironment());
  } else {
    say(`${electron.failure}; starting Tillside for the browser of this machine instead.`);
    await serve();
  }
}
