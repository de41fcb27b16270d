import { z } from 'zod';
import { withoutBinaryNoise } from '../../domain/decimal.ts';

/** A number, or its digits as text; not one that a JavaScript number cannot hold to the unit. */
export const wireNumber = z
  .union([
    z.number(),
    z
      .string()
      .max(40)
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .pipe(z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).transform(withoutBinaryNoise));
