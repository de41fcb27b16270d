import { endWithParent, serve } from './launch.ts';

endWithParent();
await serve();
