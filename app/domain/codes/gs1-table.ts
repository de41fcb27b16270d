// GS1's table of application identifiers as data (GS1 General Specifications, section 3, as GS1's Barcode Syntax
// Dictionary of July 2026 has it): each identifier's format, whether its length is predefined, and GS1's own data
// title.
//
// One line an identifier, or a range of them: identifier, format, title.
//   *      its length is predefined: no separator follows it (section 7.8.5)
//   N X    digits; characters of set 82.   Y Z  of set 39; of set 64
//   6      exactly so many.   ..20  from one up to so many.   [ ]  may be absent
//   c      ends with a check digit.   d  a date YYMMDD whose day may be 00.   D  a date YYMMDD
//   n      in the identifier: the number of decimals, from 0 up to the digit behind the slash

/** The characters that may stand in a part of a value. */
export type CharacterSet = 'N' | 'X' | 'Y' | 'Z';

/** One part of a value; parts follow each other without anything between. */
export interface Gs1Part {
  readonly set: CharacterSet;
  readonly shortest: number;
  readonly longest: number;
  readonly isOptional: boolean;
  /** The check that can be made of it. */
  readonly check: 'checkDigit' | 'date' | 'dateOrMonth' | null;
}

/** One application identifier. */
export interface Gs1Identifier {
  readonly identifier: string;
  /** GS1's data title, such as "BATCH/LOT". */
  readonly title: string;
  /** The length of a value that needs no separator behind it; null when one is needed. */
  readonly predefinedLength: number | null;
  readonly parts: readonly Gs1Part[];
  /** Digits behind the decimal point of its last part; null when it is no measure. */
  readonly decimals: number | null;
}

const lines = `
00 *N18c SSCC
01 *N14c GTIN
02 *N14c CONTENT
03 *N14c MTO GTIN
10 X..20 BATCH/LOT
11 *N6d PROD DATE
12 *N6d DUE DATE
13 *N6d PACK DATE
15 *N6d BEST BEFORE or BEST BY
16 *N6d SELL BY
17 *N6d USE BY or EXPIRY
20 *N2 VARIANT
21 X..20 SERIAL
22 X..20 CPV
235 X..28 TPX
240 X..30 ADDITIONAL ID
241 X..30 CUST. PART No.
242 N..6 MTO VARIANT
243 X..20 PCN
250 X..30 SECONDARY SERIAL
251 X..30 REF. TO SOURCE
253 N13c,[X..17] GDTI
254 X..20 GLN EXTENSION COMPONENT
255 N13c,[N..12] GCN
30 N..8 VAR. COUNT
310n/5 *N6 NET WEIGHT (kg)
311n/5 *N6 LENGTH (m)
312n/5 *N6 WIDTH (m)
313n/5 *N6 HEIGHT (m)
314n/5 *N6 AREA (m²)
315n/5 *N6 NET VOLUME (l)
316n/5 *N6 NET VOLUME (m³)
320n/5 *N6 NET WEIGHT (lb)
321n/5 *N6 LENGTH (in)
322n/5 *N6 LENGTH (ft)
323n/5 *N6 LENGTH (yd)
324n/5 *N6 WIDTH (in)
325n/5 *N6 WIDTH (ft)
326n/5 *N6 WIDTH (yd)
327n/5 *N6 HEIGHT (in)
328n/5 *N6 HEIGHT (ft)
329n/5 *N6 HEIGHT (yd)
330n/5 *N6 GROSS WEIGHT (kg)
331n/5 *N6 LENGTH (m), log
332n/5 *N6 WIDTH (m), log
333n/5 *N6 HEIGHT (m), log
334n/5 *N6 AREA (m²), log
335n/5 *N6 VOLUME (l), log
336n/5 *N6 VOLUME (m³), log
337n/5 *N6 KG PER m²
340n/5 *N6 GROSS WEIGHT (lb)
341n/5 *N6 LENGTH (in), log
342n/5 *N6 LENGTH (ft), log
343n/5 *N6 LENGTH (yd), log
344n/5 *N6 WIDTH (in), log
345n/5 *N6 WIDTH (ft), log
346n/5 *N6 WIDTH (yd), log
347n/5 *N6 HEIGHT (in), log
348n/5 *N6 HEIGHT (ft), log
349n/5 *N6 HEIGHT (yd), log
350n/5 *N6 AREA (in²)
351n/5 *N6 AREA (ft²)
352n/5 *N6 AREA (yd²)
353n/5 *N6 AREA (in²), log
354n/5 *N6 AREA (ft²), log
355n/5 *N6 AREA (yd²), log
356n/5 *N6 NET WEIGHT (tr oz)
357n/5 *N6 NET VOLUME (oz)
360n/5 *N6 NET VOLUME (qt (US))
361n/5 *N6 NET VOLUME (gal.)
362n/5 *N6 VOLUME (qt (US)), log
363n/5 *N6 VOLUME (gal (US)), log
364n/5 *N6 NET VOLUME (in³)
365n/5 *N6 NET VOLUME (ft³)
366n/5 *N6 NET VOLUME (yd³)
367n/5 *N6 VOLUME (in³), log
368n/5 *N6 VOLUME (ft³), log
369n/5 *N6 VOLUME (yd³), log
37 N..8 COUNT
390n/9 N..15 AMOUNT
391n/9 N3,N..15 AMOUNT
392n/9 N..15 PRICE
393n/9 N3,N..15 PRICE
394n/3 N4 PRCNT OFF
395n/5 N6 PRICE/UoM
400 X..30 ORDER NUMBER
401 X..30 GINC
402 N17c GSIN
403 X..30 ROUTE
410 *N13c SHIP TO LOC
411 *N13c BILL TO
412 *N13c PURCHASE FROM
413 *N13c SHIP FOR LOC
414 *N13c LOC No.
415 *N13c PAY TO
416 *N13c PROD/SERV LOC
417 *N13c PARTY
420 X..20 SHIP TO POST
421 N3,X..9 SHIP TO POST
422 N3 ORIGIN
423 N3,[N3],[N3],[N3],[N3] COUNTRY - INITIAL PROCESS
424 N3 COUNTRY - PROCESS
425 N3,[N3],[N3],[N3],[N3] COUNTRY - DISASSEMBLY
426 N3 COUNTRY - FULL PROCESS
427 X..3 ORIGIN SUBDIVISION
4300 X..35 SHIP TO COMP
4301 X..35 SHIP TO NAME
4302 X..70 SHIP TO ADD1
4303 X..70 SHIP TO ADD2
4304 X..70 SHIP TO SUB
4305 X..70 SHIP TO LOC
4306 X..70 SHIP TO REG
4307 X2 SHIP TO COUNTRY
4308 X..30 SHIP TO PHONE
4309 N20 SHIP TO GEO
4310 X..35 RTN TO COMP
4311 X..35 RTN TO NAME
4312 X..70 RTN TO ADD1
4313 X..70 RTN TO ADD2
4314 X..70 RTN TO SUB
4315 X..70 RTN TO LOC
4316 X..70 RTN TO REG
4317 X2 RTN TO COUNTRY
4318 X..20 RTN TO POST
4319 X..30 RTN TO PHONE
4320 X..35 SRV DESCRIPTION
4321 N1 DANGEROUS GOODS
4322 N1 AUTH TO LEAVE
4323 N1 SIG REQUIRED
4324 N6d,N4 NOT BEF DEL DT
4325 N6d,N4 NOT AFT DEL DT
4326 N6D REL DATE
4330 N6,[X1] MAX TEMP F.
4331 N6,[X1] MAX TEMP C.
4332 N6,[X1] MIN TEMP F.
4333 N6,[X1] MIN TEMP C.
7001 N13 NSN
7002 X..30 MEAT CUT
7003 N6D,N4 EXPIRY TIME
7004 N..4 ACTIVE POTENCY
7005 X..12 CATCH AREA
7006 N6D FIRST FREEZE DATE
7007 N6D,[N6D] HARVEST DATE
7008 X..3 AQUATIC SPECIES
7009 X..10 FISHING GEAR TYPE
7010 X..2 PROD METHOD
7011 N6D,[N4] TEST BY DATE
7020 X..20 REFURB LOT
7021 X..20 FUNC STAT
7022 X..20 REV STAT
7023 X..30 GIAI - ASSEMBLY
7030-7039 N3,X..27 PROCESSOR
7040 N1,X3 UIC+EXT
7041 X..4 UFRGT UNIT TYPE
710 X..20 NHRN PZN
711 X..20 NHRN CIP
712 X..20 NHRN CN
713 X..20 NHRN DRN
714 X..20 NHRN AIM
715 X..20 NHRN NDC
716 X..20 NHRN AIC
717 X..20 NHRN SRN
7230-7239 X2,X..28 CERT
7240 X..20 PROTOCOL
7241 N2 AIDC MEDIA TYPE
7242 X..25 VCN
7250 N8 DOB
7251 N8,N4 DOB TIME
7252 N1 BIO SEX
7253 X..40 FAMILY NAME
7254 X..40 GIVEN NAME
7255 X..10 SUFFIX
7256 X..90 FULL NAME
7257 X..70 PERSON ADDR
7258 X3 BIRTH SEQUENCE
7259 X..40 BABY
8001 N14 DIMENSIONS
8002 X..20 CMT No.
8003 N14c,[X..16] GRAI
8004 X..30 GIAI
8005 N6 PRICE PER UNIT
8006 N14c,N4 ITIP
8007 X..34 IBAN
8008 N6D,N2,[N2],[N2] PROD TIME
8009 X..50 OPTSEN
8010 Y..30 CPID
8011 N..12 CPID SERIAL
8012 X..20 VERSION
8013 X..25 GMN
8014 X..25 MUDI
8017 N18c GSRN - PROVIDER
8018 N18c GSRN - RECIPIENT
8019 N..10 SRIN
8020 X..25 REF No.
8026 N14c,N4 ITIP CONTENT
8030 Z..90 DIGSIG
8040 N15 IMEI
8041 N15 IMEI2
8042 N32 ESIM
8043 N18,[N..2] PSIM
8110 X..70 COUPON
8111 N4 POINTS
8112 X..70 COUPON
8200 X..70 PRODUCT URL
90 X..30 INTERNAL
91-99 X..90 INTERNAL
`;

const checks = { c: 'checkDigit', d: 'dateOrMonth', D: 'date' } as const;

function readPart(text: string): Gs1Part {
  const match = /^(\[?)([NXYZ])(\.\.)?(\d+)([cdD]?)\]?$/.exec(text);
  const [, bracket, set, range, length, check] = match ?? [];
  if (set === undefined) {
    throw new Error(`no format ${text}`);
  }
  return {
    set: set as CharacterSet,
    shortest: range === undefined ? Number(length) : 1,
    longest: Number(length),
    isOptional: bracket === '[',
    check: check === 'c' || check === 'd' || check === 'D' ? checks[check] : null,
  };
}

/** The identifiers of one line's first word, each with its decimals. */
function expand(range: string): readonly (readonly [string, number | null])[] {
  const [, stem, most] = /^(\d{3})n\/(\d)$/.exec(range) ?? [];
  if (stem !== undefined) {
    return Array.from({ length: Number(most) + 1 }, (_, decimals) => [`${stem}${decimals}`, decimals] as const);
  }
  const [first = '', last = first] = range.split('-');
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, step) => [String(Number(first) + step).padStart(first.length, '0'), null] as const,
  );
}

function readTable(): Map<string, Gs1Identifier> {
  const table = new Map<string, Gs1Identifier>();
  for (const line of lines.trim().split('\n')) {
    const [range = '', format = '', ...title] = line.split(' ');
    const parts = format.replace('*', '').split(',').map(readPart);
    const predefinedLength = format.startsWith('*') ? parts.reduce((sum, part) => sum + part.longest, 0) : null;
    for (const [identifier, decimals] of expand(range)) {
      table.set(identifier, { identifier, title: title.join(' '), predefinedLength, parts, decimals });
    }
  }
  return table;
}

/** Every application identifier, by its digits. None is the beginning of another. */
export const gs1Identifiers: ReadonlyMap<string, Gs1Identifier> = readTable();
