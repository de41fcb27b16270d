// An encoder of EAN-13 written from the standard alone (GS1 General Specifications §5.2.1), beside which what the app
// draws is laid.

const codeA = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
];
const mirrored = (code: string): string => [...code].toReversed().join('');
const inverted = (code: string): string => [...code].map((module) => (module === '0' ? '1' : '0')).join('');
const parities = ['AAAAAA', 'AABABB', 'AABBAB', 'AABBBA', 'ABAABB', 'ABBAAB', 'ABBBAA', 'ABABAB', 'ABABBA', 'ABBABA'];

/** The 95 modules of an EAN-13, "1" for a dark one. */
export function ean13Modules(digits: string): string {
  const [first = 0, ...rest] = [...digits].map(Number);
  const left = rest.slice(0, 6).map((digit, place) => {
    const odd = codeA[digit] ?? '';
    return parities[first]?.[place] === 'A' ? odd : mirrored(inverted(odd));
  });
  const right = rest.slice(6).map((digit) => inverted(codeA[digit] ?? ''));
  return `101${left.join('')}01010${right.join('')}101`;
}
