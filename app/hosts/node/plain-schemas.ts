// Imported before any schema is made. zod would else write code for each schema, compile it and run it at every start,
// for some 25 ms; a page of a hundred products is judged in 0.2 ms without.
import { z } from 'zod';

z.config({ jitless: true });
