import { hashQuickly } from './quick-scrypt.ts';

hashQuickly(setImmediate);
