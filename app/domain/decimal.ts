/** The shortest decimal that reads back as this finite number, without an exponent: "-0.0004", "0". */
export function writeDecimal(value: number): string {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const digits = whole + decimals;
  const point = whole.length + Number(exponent);
  const before = digits.slice(0, Math.max(0, point)).padEnd(point, '0');
  const after = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return `${sign}${before === '' ? '0' : before}${after === '' ? '' : `.${after}`}`;
}

/** Every decimal of so many digits is a number of its own; what a sum of binary fractions adds stands behind them. */
const exactDigits = 15;
/** A figure that is so many digits shorter without them was meant. */
const noiseDigits = 3;
/** The rest of figures below a million has less noise than this, and no figure of a shop has more decimals. */
const leftNoise = 1e-9;
const decimalsLeft = 6;

const digitsOf = (value: number): number => writeDecimal(value).replace(/^-?0?\.?0*/, '').length;

/**
 * The decimal that a computed figure stands for: 0.3 for 0.30000000000000004 or 0.29999999999999716, which is what
 * binary fractions make of 0.1 + 0.2 and of 100.3 - 100. Any other finite number as it is.
 */
export function withoutBinaryNoise(value: number): number {
  if (Number.isInteger(value)) {
    return value;
  }
  const digits = digitsOf(value);
  // Of a difference of nearly the same, the noise is that of what was taken from each other.
  const left = Number(value.toFixed(decimalsLeft));
  if (digits >= exactDigits && Math.abs(value - left) < leftNoise) {
    return left + 0; // No -0.
  }
  const meant = Number(value.toPrecision(exactDigits));
  return digits - digitsOf(meant) >= noiseDigits ? meant : value;
}

/** By how much the one is more than the other, in six decimals: without what binary fractions add. */
export const differenceBetween = (one: number, other: number): number => Number((one - other).toFixed(6)) + 0; // No -0.

/** The digits of a decimal without the zeros behind its decimals, which mean nothing: "12.5" for "12.50", "12" for "12.00". */
export function withoutLastZeros(digits: string): string {
  // Begins once in a run of zeros: from each of them it would look for the end anew.
  return /^-?\d+\.\d+$/.test(digits) ? digits.replace(/\.0+$|(?<!0)0+$/, '') : digits;
}
