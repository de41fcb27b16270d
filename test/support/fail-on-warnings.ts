import { afterEach, expect } from 'vitest';
import { format } from 'node:util';

const complaints: string[] = [];

process.on('warning', (warning) => complaints.push(`process warning: ${warning.stack ?? warning.message}`));

for (const method of ['error', 'warn'] as const) {
  const write = console[method].bind(console);
  console[method] = (...parts: unknown[]) => {
    complaints.push(`console.${method}: ${format(...parts)}`);
    write(...parts);
  };
}

afterEach(() => {
  expect(complaints.splice(0), 'nothing may be written to console.error, console.warn or as a process warning').toEqual(
    [],
  );
});
