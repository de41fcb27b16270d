import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const leadMs = Number(process.env['TILLSIDE_TEST_UPTIME_LEAD_MS'] ?? 0);
const machineUptime = os.uptime;
os.uptime = () => machineUptime() + leadMs / 1000;
syncBuiltinESMExports();
