/**
 * The shortest decimal that reads back as this finite number (ECMA-262 Number::toString), without an exponent:
 * "-0.0004", "0".
 */
export function writeDecimal(value: number): string {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const digits = whole + decimals;
  const point = whole.length + Number(exponent);
  const before = digits.slice(0, Math.max(0, point)).padEnd(point, '0');
  const after = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return `${sign}${before === '' ? '0' : before}${after === '' ? '' : `.${after}`}`;
}
