import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * This user's own folder. HOME may be empty, or no whole path: what lies there would be another at each place of a start.
 * The system's own list of users does then. Throws where that does not know this one.
 */
export function homeOfUser(): string {
  const named = homedir();
  return isAbsolute(named) ? named : userInfo().homedir;
}
