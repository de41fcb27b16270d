import { runBridge } from '../app/bridge/cli.ts';

await runBridge();
