import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../build/project.ts';
import { readPicture, writeMovingPicture } from './pictures.ts';

/** The README's moving picture. */
export const outageFile = join(projectDirectory, 'assets/outage.png');

/** The network goes away, a coupon is switched, the network comes back. */
export const outageScenes: ReadonlySet<string> = new Set(['lookup-found', 'outage', 'outage-waiting', 'outage-over']);

const secondsEach = 3;

/** Joins the kept pictures of these scenes. */
export function drawOutage(): Buffer {
  const pictures = [...outageScenes].map((scene) =>
    readPicture(readFileSync(join(projectDirectory, `test/ui/pictures/1024-light-en/${scene}.png`))),
  );
  return writeMovingPicture(pictures, secondsEach);
}
