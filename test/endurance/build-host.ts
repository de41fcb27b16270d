import { bundleProgram } from '../support/bundle-program.ts';

/** Bundles the browser host: a loop of kills does little but start it. */
export const buildHost = (folder: string): Promise<string> => bundleProgram(folder, 'app/serve.ts');
