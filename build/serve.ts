// Owns `npm run serve`: builds the renderer if it is stale, then is the browser host. Never prints on stdout itself.
import { endWithParent, serve } from './launch.ts';

endWithParent();
await serve();
