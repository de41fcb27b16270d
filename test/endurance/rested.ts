// Owns the rest between two lives of a host in the kill loop: loaded before the host's entry with `--import`, it lets the machine's
// uptime run ahead by so many milliseconds, as if the till had stood idle for that long since its last life. The host then
// frees slots of the allowance that it would else hold for a minute of real time. Never changes anything else, and never
// anything of the product.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const leadMs = Number(process.env['TILLSIDE_TEST_UPTIME_LEAD_MS'] ?? 0);
const machineUptime = os.uptime;
os.uptime = () => machineUptime() + leadMs / 1000;
syncBuiltinESMExports();
