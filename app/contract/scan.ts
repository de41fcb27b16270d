import { z } from 'zod';
import { amountFacts, dateFacts, textFacts } from '../domain/codes/code-facts.ts';
import { scanFaults } from '../domain/codes/scan.ts';
import { maxLayoutLength, maxLayouts, readLayout } from '../domain/codes/scale-label.ts';
import { instant, shortText } from './basics.ts';

/** Something that a code says beside which product it is; see app/domain/codes/code-facts.ts. */
const codeFactSchema = z.union([
  z.strictObject({ kind: z.enum(textFacts), text: shortText }),
  z.strictObject({ kind: z.enum(dateFacts), date: z.string().regex(/^\d{4}-\d\d(-\d\d)?$/) }),
  z.strictObject({ kind: z.enum(amountFacts), amount: z.number(), currency: z.string().max(3).nullable() }),
  z.strictObject({ kind: z.literal('other'), identifier: z.string().max(4), title: shortText, text: shortText }),
]);

/** Why a code, or the rest of it, could not be read; `checkDigit`: of a plain GTIN. */
export const scanFaultSchema = z.enum([...scanFaults, 'checkDigit']);

/** A scale's item, as one of the layouts reads it. */
export const labelItemSchema = z.strictObject({ layout: z.string().max(maxLayoutLength), item: z.string().max(13) });

/** How the text of an answer was read, and what it says. */
export const scanReadSchema = z.strictObject({
  /**
   * The step that answered, or for a miss the most telling one. `barcode`: as it came, `alias`: as the platform once
   * resolved it, `productCode` and `id`: as typed, `search`: as a part of a name or code; the others see
   * app/domain/codes/scan.ts.
   */
  as: z.enum([
    'barcode',
    'alias',
    'productCode',
    'id',
    'search',
    'gs1',
    'digitalLink',
    'caseUnit',
    'addOn',
    'upcE',
    'scaleLabel',
  ]),
  /** The code of the case that the product is inside of. */
  ofCase: shortText.nullable(),
  /** The scale's layout that fits. */
  layout: z.string().max(maxLayoutLength).nullable(),
  facts: z.array(codeFactSchema).max(60),
  /** The fault that kept the rest of the code from being read; the product is right all the same. */
  fault: z.strictObject({ why: scanFaultSchema, about: shortText.nullable() }).nullable(),
  /** A person chose this product for such labels, then; see app/catalogue/lookup/label-choices.ts. */
  chosenAt: instant.optional(),
  /**
   * Why a scale's label is asked about that leads to one product alone, or to none that was chosen. `unit`: the label
   * has a weight and the product is sold by the piece, or the other way round; `gone`: what was chosen for such labels
   * is not in the copy, or is now sold in another way.
   */
  doubt: z.enum(['unit', 'gone']).optional(),
});
export type ScanRead = z.infer<typeof scanReadSchema>;

/** The layouts of this shop's scales, in the order in which they are tried; see app/domain/codes/scale-label.ts. */
export const scaleLayoutsSchema = z
  .array(
    z
      .string()
      .max(maxLayoutLength)
      .refine((text) => typeof readLayout(text) !== 'string', 'a layout of a scale label'),
  )
  .max(maxLayouts);
