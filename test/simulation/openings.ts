// A database that is opened may be copied first, before it is migrated: SQLite does so in another thread, in real time,
// of which a virtual clock knows nothing.
import { Database } from '../../app/storage/database.ts';

const openReally = Database.open.bind(Database);
let underWay = 0;

Database.open = async (path, options) => {
  underWay += 1;
  try {
    return await openReally(path, options);
  } finally {
    underWay -= 1;
  }
};

/** Whether a database is being opened; nothing of that waits for the virtual clock. */
export function isOpening(): boolean {
  return underWay > 0;
}
