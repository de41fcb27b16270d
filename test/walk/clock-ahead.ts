// The clock of a process or of a page, as somebody sets it. Loaded before the main process (`node --import`), it takes
// the clock from the file that the environment names, and again at each SIGUSR2; it says so in a file beside that one.
import { readFileSync, writeFileSync } from 'node:fs';

export const aheadFileVariable = 'TILLSIDE_WALK_AHEAD_FILE';

/** The file that says which clock a process has taken. */
export const takenFileOf = (aheadFile: string): string => `${aheadFile}.taken`;

/** Sets the clock to so many milliseconds ahead of the machine's. A page is given this function's text alone. */
export function setClockAhead(aheadMs: number): void {
  const world = globalThis as typeof globalThis & { machineDate?: DateConstructor };
  const machine = (world.machineDate ??= Date);
  const now = (): number => machine.now() + aheadMs;
  world.Date = new Proxy(machine, {
    construct: (target, values: unknown[], made) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, made) as object,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
}

const path = process.env[aheadFileVariable];
if (path !== undefined) {
  const take = (): void => {
    const ahead = readFileSync(path, 'utf8');
    setClockAhead(Number(ahead));
    writeFileSync(takenFileOf(path), ahead);
  };
  process.on('SIGUSR2', take);
  take();
}
