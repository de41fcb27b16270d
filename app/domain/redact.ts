/** The text that stands in the place of a secret. */
export const redacted = '[redacted]';

const secretName =
  /token|secret|senha|contrase[nñ]a|password|passwd|authorization|cookie|credential|(?:pin|badge)hash|api.?key|private.?key/i;
const pinName = /(?:^pin|Pin|-pin)$/;
/**
 * Fields whose name contains one of those words and whose value is none: an idempotency key is what a technician needs.
 */
const harmlessName = /^(?:idempotency.?key|isSecret\w*|hasPin|tokenType|token_type|isToken\w*)$/i;

/** With its letter as one sign or two, as JSON writes it, and as an address does. */
const spanish = String.raw`contrase(?:[nñ]\u0303?|\\{1,8}u00f1|%C3%B1)a`;
const named = String.raw`(?:access_token|refresh_token|client[_-]secret|(?:set-)?cookie|(?:api|private)[_-]?key|credential|password|passwd|pwd|id_token|token|secret|senha|${spanish}|\bpin)`;

/** What people call a PIN and a password. */
const pinWord = String.raw`pin(?:[ -]?code)?|nip`;
const passwordWord = String.raw`password|passwd|pwd|pw|passphrase|passcode|senha|${spanish}|clave de acceso`;
/** Words that may stand between the name and the value, so that no other number of a sentence is taken for it. */
const between = String.raw`(?:is|was|be|to|from|set|changed|now|should|must|default|of|for|the|my|new|old|number|n[uú]mero|code|manager|cashier|é|era|foi|es|fue|do|da|de|del|o|a|el|la|mi|n[ºo°.]+|gerente|caixa|cajero|novo|nova|nuevo|nueva|agora|ahora|para|ficou|padrão)`;
const gap = String.raw`(?:%[\da-f]{2}|&#?\w{1,5};|[^\p{L}\p{N}]){1,4}`;
const spoken = (word: string): string =>
  String.raw`(?<![\p{L}\p{N}])(?:${word})(?:${gap}|(?=\p{Nd}))(?:${between}${gap}){0,4}`;
/** Four digits to twelve (`contract/limits/lock.ts`), which may be written apart; a barcode has more, a date a dash. */
const digits = String.raw`\p{Nd}(?: ?\p{Nd}){3,11}(?!\p{Nd}|-\p{Nd})`;

const percent = '%(?:25){0,3}';

/** `where`: found in every text that has the shape. */
type Shape = readonly [what: RegExp, instead: string | ((run: string) => string), where?: RegExp];
/**
 * The words themselves: the shapes of sentences with them take 25 ms to be made ready, a tenth of what a till computes to
 * start, and most lines of a log have none.
 */
const spokenWord = new RegExp(String.raw`(?<![a-z\d])(?:${pinWord}|${passwordWord})`, 'iu');

/**
 * RFC 7519: three parts in base64url, the first of which begins a JSON object; the second is never empty. Of a run of
 * letters and points, part by part: one expression for all of it would try the rest of the run from each of its signs.
 */
function withoutWebTokens(run: string): string {
  const parts = run.split('.');
  const kept: string[] = [];
  for (let place = 0; place < parts.length; place += 1) {
    const [part = '', next = ''] = parts.slice(place, place + 2);
    const begin = next === '' ? -1 : part.search(/\beyJ[\w-]{5}/);
    kept.push(begin === -1 ? part : part.slice(0, begin) + redacted);
    place += begin === -1 ? 0 : 2;
  }
  return kept.join('.');
}

// Each takes time in proportion to the text, whatever it says: none can begin at many places of one run.
// mutant: an address begins anew at each sign of a run when secrets are looked for
const shapes: readonly Shape[] = [
  // RFC 6750 §2.1, RFC 7617
  [/((?:\b|(?<=%[\da-f]{2}))(?:bearer|basic)(?:\s+|%20|\+))[\w.~+/=-]+/gi, `$1${redacted}`],
  [
    /(\bauthorization["']?\s{0,9}[:=]\s{0,9}["']?(?:(?:bearer|basic|token|negotiate|ntlm) {1,9})?)[^\s"',;}]+/gi,
    `$1${redacted}`,
  ],
  // As an address writes it (RFC 3986 §2.1), also one inside another
  [
    new RegExp(
      String.raw`(${named}(?:${percent}2[27])?${percent}3[AD](?:${percent}2[027B]){0,9})(?:(?!${percent}2[26])[^\s&"'])+`,
      'gi',
    ),
    `$1${redacted}`,
  ],
  [/[\w.-]{10,}/g, withoutWebTokens],
  // JSON: up to the closing quotation mark; and JSON inside a text of JSON
  [new RegExp(String.raw`(${named}"\s*:\s*")(?:[^"\\]|\\.)*`, 'gi'), `$1${redacted}`],
  [new RegExp(String.raw`(${named}(\\{1,255}")\s*:\s*\2)(?:(?!(?<!\\)\2).)*`, 'gi'), `$1${redacted}`],
  // A sentence of a person, in the three languages
  [new RegExp(`(${spoken(`${pinWord}|${passwordWord}`)})${digits}`, 'giu'), `$1${redacted}`, spokenWord],
  [
    new RegExp(String.raw`(${spoken(passwordWord)})(?=\p{L}{0,60}\p{N})[\p{L}\p{N}_#$%&*-]{4,100}`, 'giu'),
    `$1${redacted}`,
    spokenWord,
  ],
  [
    new RegExp(
      String.raw`(?<![\p{L}\p{N}.,-])\p{Nd}{4,12}(?=(?: (?:(?:${between}|as|como) ){1,3}| ?[(=] ?)(?:${pinWord}|${passwordWord})(?!\p{L}))`,
      'giu',
    ),
    redacted,
    spokenWord,
  ],
  // Somebody's, and more than one
  [
    new RegExp(
      String.raw`(\bPINs?(?: (?:of|for|d[aeo]|del|la)){0,2}(?: \p{Lu}\p{Ll}{1,30}){0,2}(?: (?:is|was|are|é|era|es|fue))?:? )${digits}`,
      'gu',
    ),
    `$1${redacted}`,
  ],
  [
    new RegExp(String.raw`\[redacted\](?:[ ,/]{1,2}(?:(?:to|and|or|para|[aeouy]) )?${digits})+`, 'giu'),
    (run) => run.replaceAll(new RegExp(digits, 'gu'), redacted),
  ],
  // As a program names it
  [new RegExp(String.raw`([a-z]Pin["']?\s{0,2}[=: ]\s{0,2}["']?)${digits}`, 'gu'), `$1${redacted}`],
  [
    new RegExp(String.raw`(${named}["']?\s{0,9}[=:]>?\s{0,9})(["'])(?:(?!\2)[^\\\r\n]|\\.){1,1000}(?=\2)`, 'gi'),
    `$1$2${redacted}`,
  ],
  // In quotation marks right behind its name; the signs of a program that cannot be read have no digit
  [
    new RegExp(
      String.raw`((?:${named}|${passwordWord}) )(?:"(?=[^"\r\n]{0,99}\p{N})[^"\r\n]{4,200}"|'(?=[^'\r\n]{0,99}\p{N})[^'\r\n]{4,200}')`,
      'giu',
    ),
    `$1"${redacted}"`,
  ],
  [new RegExp(String.raw`(<${named}>)[^<]{1,1000}(?=<\/)`, 'gi'), `$1${redacted}`],
  // A query, a form or a line of a log
  [new RegExp(String.raw`(${named}["']?\s*[=:]>?\s*["']?)[^\s&"',;}]+`, 'gi'), `$1${redacted}`],
  // A flag of a command
  [new RegExp(String.raw`(--${named} {1,3})[^\s"\\]+`, 'gi'), `$1${redacted}`],
  // RFC 7468
  [/(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----)[^-]+/g, `$1${redacted}`],
  // A hub's address ends with its key.
  [/\btillside-hub(?::(?:\\?\/){2}|%3A%2F%2F)(?:[^\s"'\\]|\\(?!["']))+/gi, redacted],
  // A cashier's badge (codes/badge.ts)
  [/[Tt][Ii][Ll][Ll]\d{12,20}|TILL(?: ?\d){12,20}/g, redacted],
  // RFC 3986 §3.2.1: user and password before a host
  [/(:(?:\\?\/){2})[^\s/?#"'<>\\]+@/g, `$1${redacted}@`],
  [/(%3A%2F%2F)(?:[^\s&"'%]|%(?!2F|3F|40)){1,300}(?=%40)/gi, `$1${redacted}`],
];

/**
 * Looser than RFC 5321 §4.1.2 and as wide as RFC 6531: letters of every alphabet, hosts of one word or in brackets, a
 * quoted name, and the @ as addresses of the web, JSON, HTML and people write it.
 */
const letter = String.raw`\p{L}\p{M}\p{N}\p{Cf}_\-`;
const local = String.raw`${letter}.+%'\u2019!#$&*^~@`;
/** A name of the web comes next: not each @ and "at" of a sentence makes an address. */
const webHost = String.raw`(?=[${letter}.]{1,100}\.\p{L}{2})`;
const at = String.raw`[@\uFF20\uFE6B]|%(?:25){0,3}40|%u0040|=40(?=\p{L})${webHost}|\\{1,8}(?:u00|x)40|&(?:#0{0,4}64|#x0{0,4}40|commat);| ?[[({<] ?(?:at|arroba|@) ?[\])}>] ?|\s{0,2}@\s{1,2}${webHost}|\s{1,2}@${webHost}| arroba ${webHost}| (?:at|arroba) (?=[${letter}]{1,60} (?:dot|punto|ponto) \p{L}{2})`;
const host = String.raw`\[[\w.:]{1,60}\]|[${letter}%]+(?:\.[${letter}%]+)*`;
const email = new RegExp(
  String.raw`(?:(?<![${local}])[${local}]+|"[\p{L}\p{N}][^":\r\n]{0,63}")(${at})(${host})`,
  'giu',
);

/** Fields that hold what somebody signs in with, which need not look like an e-mail address. */
const emailName = /(?:e-?mail(?:s|_?address)?|user_?name)$/i;
/** The same fields within a text of JSON, or of JSON inside such a text, which may have been cut off. */
const emailText = /((?:e-?mail(?:s|_?address)?|user_?name)(\\{0,255}")\s*:\s*\2)((?:(?!\2)(?:\\.|.))+)/gis;
/** In a form or a query; one that has an @ keeps its domain. */
const emailField = /(user_?name=)(?![^\s&"]{0,300}(?:@|%40))[^\s&"]+/gi;
const emailList = /(e-?mails?\\*"\s*:\s*\[)[^\]]+/gi;

export interface RedactOptions {
  /**
   * True for what leaves the shop: of an e-mail address only the domain is left, and nothing of another name that
   * somebody signs in with.
   */
  readonly withoutPeople?: boolean;
  /** More that gives way, such as `shapesOfAccount`. */
  readonly more?: readonly Shape[];
}

/** Whose account of the operating system this runs under; it is often a person's name. */
export interface Account {
  /** Absolute. */
  readonly home: string;
  readonly names: readonly string[];
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** As it stands in a text, and in an address of a file (RFC 3986 §2.1). */
function spellings(text: string): string {
  return `(?:${[...new Set([text, encodeURI(text.toWellFormed())])].map(escaped).join('|')})`;
}

/**
 * The shapes that take an account out of a text: its home folder becomes "~", with whichever separators it is written;
 * its name, wherever it stands by itself, a mark.
 */
export function shapesOfAccount({ home, names }: Account): readonly Shape[] {
  const parts = home.split(/[\\/]+/).filter((part) => part !== '');
  const folder = parts.map(spellings).join(String.raw`[\\/]+`);
  const after = String.raw`(?![\p{L}\p{N}])`;
  return [
    ...(parts.length === 0 ? [] : [[new RegExp(String.raw`(?<![\\/])[\\/]*${folder}${after}`, 'giu'), '~'] as const]),
    // A number is nobody's name.
    ...names
      .filter((name) => /\p{L}/u.test(name))
      .map((name): Shape => [new RegExp(String.raw`(?<![\p{L}\p{N}])${spellings(name)}${after}`, 'giu'), '[user]']),
  ];
}

const deepest = 12;
const maxMembers = 20_000;
const maxTextLength = 100_000;

/** So short a secret may be a part of any word. */
const shortestKnown = 4;

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
const inAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'));

/** As JSON writes it, and JSON inside a text of JSON, each in whatever letters it takes for plain. */
function inJson(secret: string): readonly string[] {
  const written = quoted(secret);
  const ascii = inAscii(written);
  return [written, quoted(written), ascii, inAscii(quoted(written)), quoted(ascii)]
    .flatMap((one) => [one, one.replaceAll(/\\u..../g, (unit) => `\\u${unit.slice(2).toUpperCase()}`)])
    .flatMap((one) => [one, one.replaceAll('/', String.raw`\/`)]);
}

/** As an address and a form write it (RFC 3986 §2.1, with digits of either case). */
function inAddress(secret: string): readonly string[] {
  const written = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  return [written, form].flatMap((one) => [one, one.replaceAll(/%../g, (byte) => byte.toLowerCase())]);
}

/** As frameworks write it into HTML: with its quotation marks as they are, or by a name or number. */
function inHtml(secret: string): readonly string[] {
  const written = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    written,
    ...['&#39;', '&#x27;', '&#039;'].map((mark) => written.replaceAll('"', '&quot;').replaceAll("'", mark)),
  ];
}

/** However JSON, an address or HTML writes it. */
const writingsOf = (text: string): readonly string[] => [
  ...new Set([text, ...inJson(text), ...inAddress(text), ...inHtml(text)]),
];

/** The names in this value by which people sign in, by the fields in which they stand. */
export function peopleIn(value: unknown, isPerson = false, depth = 0): readonly string[] {
  if (typeof value === 'string') {
    return isPerson ? [value] : [];
  }
  return typeof value !== 'object' || value === null || depth > deepest
    ? []
    : Object.entries(value).flatMap(([name, part]) =>
        peopleIn(part, emailName.test(name) || (isPerson && Array.isArray(value)), depth + 1),
      );
}

/**
 * The shape that takes people out of a text by the names that they sign in with; what has an e-mail's shape as a whole
 * is left to that.
 */
export function shapesOfPeople(people: readonly string[]): readonly Shape[] {
  // Of a short number, each figure could be one.
  const known = [...new Set(people)]
    .filter((name) => name.replaceAll(email, '') !== '' && /\p{L}|\p{N}{6}/u.test(name))
    .flatMap(writingsOf)
    .toSorted((one, other) => other.length - one.length)
    .map(escaped);
  return known.length === 0
    ? []
    : [
        [
          new RegExp(String.raw`(?:(?<![\p{L}\p{N}])|(?<=%[\da-f]{2}))(?:${known.join('|')})(?![\p{L}\p{N}])`, 'giu'),
          '…',
        ],
      ];
}

/**
 * What takes these secrets out of a text, however JSON, an address or HTML writes them. Their writings are made once:
 * an answer may have a quarter of a million values to be looked at.
 */
export function takeOut(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= shortestKnown)
    .flatMap(writingsOf)
    .toSorted((one, other) => other.length - one.length);
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, redacted), text);
}

/** The text without what has the shape of a secret. */
export function redactText(text: string, { withoutPeople = false, more = [] }: RedactOptions = {}): string {
  const short = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  const safe = [...shapes, ...more].reduce((left, [shape, instead, where]) => {
    if (where?.test(left) === false) {
      return left;
    }
    // Two calls, for each takes one of the two.
    return typeof instead === 'string' ? left.replaceAll(shape, instead) : left.replaceAll(shape, instead);
  }, short);
  if (!withoutPeople) {
    return safe;
  }
  return safe
    .replaceAll(emailText, (_whole, before: string, _quote: string, value: string) => before + redactPerson(value))
    .replaceAll(emailList, '$1…')
    .replaceAll(emailField, '$1…')
    .replaceAll(email, '…$1$2');
}

/** The trace that a log keeps of a sign-in name: of an e-mail address the domain, of anything else nothing. */
function redactPerson(value: string): string {
  if (value === '') {
    return '';
  }
  const domain = /^[^@]+@([\p{L}\p{M}\p{N}_.-]+)$/u.exec(value.trim())?.[1];
  return domain === undefined ? '…' : `…@${domain}`;
}

/** A copy of the value as JSON could hold it, without secrets. */
export function redact(value: unknown, options: RedactOptions = {}): unknown {
  let members = 0;
  const walk = (part: unknown, depth: number, isPerson = false): unknown => {
    members += 1;
    if (members > maxMembers || depth > deepest) {
      return '…';
    }
    if (typeof part === 'string') {
      return isPerson ? redactPerson(part) : redactText(part, options);
    }
    if (typeof part === 'bigint') {
      return String(part);
    }
    if (Array.isArray(part)) {
      return part.map((member) => walk(member, depth + 1, isPerson));
    }
    if (part instanceof Error) {
      return redactText(part.stack ?? part.message, options);
    }
    if (typeof part === 'object' && part !== null) {
      return Object.fromEntries(
        Object.entries(part).map(([name, member]) => [
          name,
          hides(name, member)
            ? redacted
            : walk(member, depth + 1, options.withoutPeople === true && emailName.test(name)),
        ]),
      );
    }
    return typeof part === 'function' || typeof part === 'symbol' ? `[${typeof part}]` : part;
  };
  return walk(value, 0);
}

function hides(name: string, value: unknown): boolean {
  if (
    !(secretName.test(name) || pinName.test(name)) ||
    harmlessName.test(name) ||
    value === null ||
    value === undefined ||
    typeof value === 'boolean'
  ) {
    return false;
  }
  // A number may be a PIN, but how long a token lasts is none.
  return typeof value !== 'number' || pinName.test(name) || /password|secret$/i.test(name);
}
