import { format } from 'node:util';

/** What this process was warned of, or wrote to its console, since somebody last took it out. */
export const complaints: string[] = [];

process.on('warning', (warning) => complaints.push(`process warning: ${warning.stack ?? warning.message}`));

for (const method of ['error', 'warn'] as const) {
  const write = console[method].bind(console);
  console[method] = (...parts: unknown[]) => {
    complaints.push(`console.${method}: ${format(...parts)}`);
    write(...parts);
  };
}
