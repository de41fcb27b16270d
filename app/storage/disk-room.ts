import { statfsSync } from 'node:fs';

/** Less than this is left on a disk that has no room. */
const leastRoomBytes = 65_536;

/** Whether the disk of a folder has room for more than a few pages; true where that cannot be told. */
export function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize >= leastRoomBytes && (files === 0 || ffree > 0);
  } catch {
    return true;
  }
}
