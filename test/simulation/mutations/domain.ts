import type { PlantedBugs } from '../mutation.ts';

export const domainMutations: PlantedBugs = {
  'ids are read as numbers (I15, I17)': { change: ['String($1)', 'String(Number($1))'] },
  'a figure is shown with what binary fractions add': {
    change: ['$1($2) :', '$2 :'],
    test: 'test/unit/domain/loose-json.test.ts',
  },
  'what nobody sees stays in a name': {
    change: ['$1($2.slice', '($2.slice'],
    test: 'test/unit/domain/visible-text.test.ts',
  },
  'an address begins anew at each sign of a run when secrets are looked for': {
    change: [
      String.raw`(:(?:\\?\/){2})[^\s/?#"'<>\\]+@/g`,
      String.raw`(\b[a-z][a-z0-9+.-]*:(?:\\?\/){2})[^\s/?#"'<>\\]+@/gi`,
    ],
    test: 'test/unit/domain/redact.test.ts',
  },
};
