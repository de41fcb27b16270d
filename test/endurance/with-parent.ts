// A host whose kill loop is gone, killed perhaps, ends. On Windows the parent's number stays.
import process from 'node:process';

const checkMs = 1000;
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) {
    process.kill(process.pid, 'SIGKILL');
  }
}, checkMs).unref();
