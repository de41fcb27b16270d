import { buildStale } from '../../build/launch.ts';

export const setup = (): Promise<void> => buildStale();
