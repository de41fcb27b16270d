import { join } from 'node:path';
import { openPage } from '../app/hosts/page.ts';
import { runTrainingPlatform } from '../app/training/cli.ts';
import { buildStale, endWithParent } from './launch.ts';
import { projectDirectory } from './project.ts';

endWithParent();
await runTrainingPlatform(async () => {
  await buildStale(['renderer']);
  return openPage(join(projectDirectory, 'dist/renderer'));
});
