import { expect, it } from 'vitest';
import { unitCodeOf, unitsOfMeasure } from '../../../app/domain/units.ts';

// As API v3 §2 "Units of measure" lists them.
const listed =
  'AMPOLA ampoule; BALDE bucket; BANDEJ tray; BARRA bar; BISNAG tube (squeezable); BLOCO block; BOBINA reel; BOMB drum/jug; CAPS capsule; CART card/blister; CENTO hundred; CJ set; CM centimeter; CM2 square centimeter; CX box; CX2, CX3, CX5, CX10, CX15, CX20, CX25, CX50, CX100 box of 2/3/5/10/15/20/25/50/100 units; DISP display; DUZIA dozen; EMBAL package; FARDO bale; FOLHA sheet; FRASCO flask; GALAO gallon; GF bottle; GRAMAS grams; JOGO game/set; KG kilogram; KIT kit; LATA can; LITRO liter; M meter; M2 square meter; M3 cubic meter; MILHEI thousand; ML milliliter; MWH megawatt hour; PACOTE packet; PALETE pallet; PARES pairs; PC piece; POTE pot; K carat; RESMA ream; ROLO roll; SACO sack; SACOLA bag; TAMBOR drum; TANQUE tank; TON ton; TUBO tube; UNID unit; VASIL returnable container; VIDRO glass jar.';

it('the units are exactly those that the platform lists', () => {
  const codes = listed.split(';').flatMap((entry) => entry.match(/\b(?:[A-Z]+\d*)(?=[, ])/g) ?? []);
  expect(codes).toHaveLength(61);
  expect(Object.keys(unitsOfMeasure)).toEqual(codes);
});

it('what is weighed or measured has decimals, and what is counted has none', () => {
  const { KG, LITRO, M, UNID, CX10, GRAMAS } = unitsOfMeasure;
  expect([KG, LITRO, M, UNID, CX10, GRAMAS].map(({ decimals }) => decimals)).toEqual([3, 3, 2, 0, 0, 0]);
});

it('a unit is known in whatever letter case, and nothing else is', () => {
  expect([
    unitCodeOf('kg'),
    unitCodeOf(' Unid '),
    unitCodeOf('QUILO'),
    unitCodeOf('constructor'),
    unitCodeOf(''),
    unitCodeOf(null),
  ]).toEqual(['KG', 'UNID', null, null, null, null]);
});
