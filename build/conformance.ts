import { runConformance } from '../app/conformance/command.ts';
import { endWithParent } from './launch.ts';

endWithParent();
await runConformance();
