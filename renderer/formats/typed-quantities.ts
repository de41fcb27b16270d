import { maxCounted } from '../../app/contract/limits.ts';
import type { Language } from '../../app/contract/basics.ts';

/**
 * The quantity that a text says, by comma or point; null when it says none, or when its three digits after the
 * language's sign for thousands might as well be thousands.
 */
export function parseTypedQuantity(text: string, language: Language): number | null {
  const [, whole = '', sign = '', decimals = ''] = /^(\d{1,10})(?:([.,])(\d{1,6}))?$/.exec(text.trim()) ?? [];
  const ofThousands = language === 'en' ? ',' : '.';
  const quantity = Number(`${whole}.${decimals}`);
  return whole === '' || (sign === ofThousands && decimals.length === 3) || quantity > maxCounted ? null : quantity;
}
