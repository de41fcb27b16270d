import type { PlantedBugs } from '../mutation.ts';

export const contractMutations: PlantedBugs = {
  'the sign-in of practice opens what belongs to the terminal': {
    change: ["'managesShop'", "'manager'"],
    test: 'test/integration/terminal/access.test.ts',
  },
  'settings can be changed while a shop is changed': {
    change: ["'signedIn'", "'managesShop'"],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
  'what the PIN of the terminal holds passes in practice': {
    change: ["'notInPractice'", "'passes'"],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
  'the first screen gives everything though a profile exists': {
    change: ["$1 === 0 && $2 !== 'profile'", "$2 === 'none'"],
    test: 'test/integration/terminal/access.test.ts',
  },
};
