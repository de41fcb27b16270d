import { z } from 'zod';

/** How often the whole source is read. */
export const everySeconds = z.int().min(5).max(86_400);
