// Builds what is missing or older than its sources, once before the tests that start the app.
import { buildStale } from '../../build/launch.ts';

export const setup = (): Promise<void> => buildStale(['renderer', 'main', 'worker', 'preload', 'scannerPreload']);
