// Owns where the project lies on this machine, for the build scripts. Never holds anything else.
import { join } from 'node:path';

/** The project's folder. */
export const projectDirectory = join(import.meta.dirname, '..');

/** Where `npm run electron:from-registry` puts its runtime. */
export const registryRuntimeDirectory = join(projectDirectory, '.cache', 'electron');
