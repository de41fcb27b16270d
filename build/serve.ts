import { isCommand } from '../app/hosts/flags.ts';
import { endWithParent, serve } from './launch.ts';

endWithParent();
const flags = process.argv.slice(2);
if (flags.includes('--help') || isCommand(flags)) {
  // It answers in the terminal and ends; no page has a part in it.
  await import('../app/serve.ts');
} else {
  await serve();
}
