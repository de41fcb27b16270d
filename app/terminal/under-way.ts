import { openWhole } from '../storage/recover.ts';
import { queueOptions } from './workspace/queue-migrations.ts';

/** Whether a request in this queue.db is under way, or the file cannot be opened to tell. */
export async function hasRequestUnderWay(path: string): Promise<boolean> {
  try {
    const database = await openWhole(path, queueOptions);
    try {
      return database.prepare('SELECT 1 FROM requests WHERE is_open = 1 LIMIT 1').get() !== undefined;
    } finally {
      database.close();
    }
  } catch {
    return true;
  }
}
