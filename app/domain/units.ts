// The units of measure that the platform lists (API v3 §2 "Units of measure"), in its order: how fine a figure of each
// is, and which are written by a symbol that every language shares.

export interface UnitOfMeasure {
  /** A figure of this unit that is not whole is written with so many decimals; a finer figure is never cut to fit. */
  readonly decimals: 0 | 1 | 2 | 3;
  /** Beside a figure stands its symbol, such as "kg", rather than its name. */
  readonly hasSymbol: boolean;
  /** By weight, volume, length or the like; else by the piece, the pack or so many of them. */
  readonly isMeasured: boolean;
}

const counted: UnitOfMeasure = { decimals: 0, hasSymbol: false, isMeasured: false };
/** Counted by the dozen, hundred or thousand, so that a single one is a fraction. */
const inHundredths: UnitOfMeasure = { decimals: 2, hasSymbol: false, isMeasured: false };
const inThousandths: UnitOfMeasure = { decimals: 3, hasSymbol: false, isMeasured: false };
const measured = (decimals: UnitOfMeasure['decimals']): UnitOfMeasure => ({
  decimals,
  hasSymbol: false,
  isMeasured: true,
});
const symbol = (decimals: UnitOfMeasure['decimals']): UnitOfMeasure => ({
  decimals,
  hasSymbol: true,
  isMeasured: true,
});

export const unitsOfMeasure = {
  AMPOLA: counted,
  BALDE: counted,
  BANDEJ: counted,
  BARRA: counted,
  BISNAG: counted,
  BLOCO: counted,
  BOBINA: counted,
  BOMB: counted,
  CAPS: counted,
  CART: counted,
  CENTO: inHundredths,
  CJ: counted,
  CM: symbol(1),
  CM2: symbol(1),
  CX: counted,
  CX2: counted,
  CX3: counted,
  CX5: counted,
  CX10: counted,
  CX15: counted,
  CX20: counted,
  CX25: counted,
  CX50: counted,
  CX100: counted,
  DISP: counted,
  DUZIA: inHundredths,
  EMBAL: counted,
  FARDO: counted,
  FOLHA: counted,
  FRASCO: counted,
  GALAO: measured(2),
  GF: counted,
  GRAMAS: symbol(0),
  JOGO: counted,
  KG: symbol(3),
  KIT: counted,
  LATA: counted,
  LITRO: measured(3),
  M: symbol(2),
  M2: symbol(2),
  M3: symbol(3),
  MILHEI: inThousandths,
  ML: symbol(0),
  MWH: symbol(3),
  PACOTE: counted,
  PALETE: counted,
  PARES: counted,
  PC: counted,
  POTE: counted,
  K: measured(2),
  RESMA: counted,
  ROLO: counted,
  SACO: counted,
  SACOLA: counted,
  TAMBOR: counted,
  TANQUE: counted,
  TON: measured(3),
  TUBO: counted,
  UNID: counted,
  VASIL: counted,
  VIDRO: counted,
} as const satisfies Readonly<Record<string, UnitOfMeasure>>;

/** The code of a unit that the platform lists. */
export type UnitCode = keyof typeof unitsOfMeasure;

/** The listed unit of this code in whatever letter case; null for all else, which is shown as it came. */
export function unitCodeOf(code: string | null): UnitCode | null {
  const upper = code?.trim().toUpperCase() ?? '';
  return Object.hasOwn(unitsOfMeasure, upper) ? (upper as UnitCode) : null;
}

/** What shops also call units of weight and volume, and a piece; no name that may mean another. */
const otherNames = {
  KG: 'KGM KGS KILO KILOS KILOGRAM KILOGRAMS KILOGRAMO KILOGRAMOS QUILO QUILOS QUILOGRAMA QUILOGRAMAS',
  GRAMAS: 'G GRM GRAM GRAMS GRAMA GRAMO GRAMOS',
  LITRO: 'L LTR LITROS LITER LITERS LITRE LITRES',
  TON: 'TNE TONNE TONNES TONELADA TONELADAS',
  UNID: 'UN UND UNI UNIT UNITS UNIDAD UNIDADES UNIDADE PEÇA PEÇAS PIEZA PIEZAS PIECE PIECES',
} as const satisfies Partial<Readonly<Record<UnitCode, string>>>;

const meantBy: ReadonlyMap<string, UnitCode> = new Map(
  (Object.keys(otherNames) as (keyof typeof otherNames)[]).flatMap((code) =>
    otherNames[code].split(' ').map((name) => [name, code] as const),
  ),
);

/** The listed unit that a shop means by this, where that is certain; for a sum, and for no word on the screen. */
export function meantUnitOf(code: string | null): UnitCode | null {
  const name = code?.trim().replace(/\.$/, '') ?? '';
  return unitCodeOf(name) ?? meantBy.get(name.toUpperCase()) ?? null;
}

/** Whether what is kept in this unit is measured rather than counted; null where the unit is not a listed one. */
export function isMeasured(unit: string | null): boolean | null {
  const listed = unitCodeOf(unit);
  return listed === null ? null : unitsOfMeasure[listed].isMeasured;
}
