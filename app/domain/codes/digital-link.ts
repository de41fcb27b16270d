// The reading of GS1 Digital Link addresses (GS1 Digital Link Standard: URI Syntax, §4): any domain, any path before
// the key, identifiers as digits or by their old short names, percent-encoding, attributes behind the "?".
import { faultOf, type Gs1Element, type Gs1Reading } from './gs1.ts';
import { gs1Identifiers } from './gs1-table.ts';

// Given up by the standard since its version 1.2, but still printed.
const shortNames: Readonly<Record<string, string>> = {
  gtin: '01',
  itip: '8006',
  cpv: '22',
  lot: '10',
  ser: '21',
  sscc: '00',
  gdti: '253',
  gcn: '255',
  ginc: '401',
  gsin: '402',
  gln: '414',
  glnx: '254',
  party: '417',
  payto: '415',
  refno: '8020',
  grai: '8003',
  giai: '8004',
  cpid: '8010',
  cpsn: '8011',
  gmn: '8013',
  gsrnp: '8017',
  gsrn: '8018',
  srin: '8019',
  exp: '17',
};

const primaryKeys = new Set([
  '00',
  '01',
  '253',
  '255',
  '401',
  '402',
  '414',
  '415',
  '417',
  '8003',
  '8004',
  '8006',
  '8010',
  '8013',
  '8017',
  '8018',
]);

/** True for an address that a browser would open. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function identifierOf(name: string): string | null {
  const identifier = shortNames[name.toLowerCase()] ?? name;
  return gs1Identifiers.has(identifier) ? identifier : null;
}

/** Where the key stands: the first that is followed by nothing but identifiers and their values. */
function placeOfKey(segments: readonly string[]): number | null {
  for (let place = segments.length % 2; place < segments.length; place += 2) {
    const identifiers = segments
      .slice(place)
      .filter((_, step) => step % 2 === 0)
      .map(identifierOf);
    const [key] = identifiers;
    if (key !== undefined && key !== null && primaryKeys.has(key) && !identifiers.includes(null)) {
      return place;
    }
  }
  return null;
}

// A GTIN-8, -12 or -13 may stand in the address as it is.
function valueOf(identifier: string, value: string): string {
  return identifier === '01' && /^(\d{8}|\d{12,13})$/.test(value) ? value.padStart(14, '0') : value;
}

/** Reads an address; null for one that is not a Digital Link. */
export function readDigitalLink(address: string): Gs1Reading | null {
  const url = isWebAddress(address) ? URL.parse(address) : null;
  if (url === null) {
    return null;
  }
  const segments = url.pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode);
  const place = placeOfKey(segments);
  if (place === null) {
    return null;
  }
  const path = segments.slice(place);
  const pairs = path.flatMap((name, step) => (step % 2 === 0 ? [[name, path[step + 1] ?? ''] as const] : []));
  const attributes = url.search
    .slice(1)
    .split(/[&;]/)
    .map((attribute) => {
      const equals = attribute.indexOf('=');
      return equals === -1
        ? (['', ''] as const)
        : ([decode(attribute.slice(0, equals)), decode(attribute.slice(equals + 1))] as const);
    })
    // Any other parameter behind the "?" is no affair of GS1's, such as where a link should lead.
    .filter(([name]) => identifierOf(name) !== null);
  const elements: Gs1Element[] = [];
  for (const [name, given] of [...pairs, ...attributes].slice(0, 60)) {
    const identifier = gs1Identifiers.get(identifierOf(name) ?? '');
    if (identifier !== undefined) {
      const value = valueOf(identifier.identifier, given);
      const why = faultOf(identifier, value);
      if (why !== null) {
        return { elements, fault: { why, about: identifier.identifier } };
      }
      elements.push({ identifier, value });
    }
  }
  return { elements, fault: null };
}
