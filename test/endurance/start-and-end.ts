import { existsSync } from 'node:fs';
import { prepareDataDirectory } from '../../app/hosts/node/data-directory.ts';
import { readProvision } from '../../app/hosts/provisioning/file.ts';
import { setUpBy } from '../../app/hosts/provisioning/set-up.ts';
import { startTerminal } from '../../app/hosts/start.ts';
import { StorageError } from '../../app/storage/database.ts';
import { readKeptUpdates } from '../support/kept-updates.ts';
import { plainStart } from '../support/plain-start.ts';
import { describeUpdate } from './terminal-on-files.ts';

const [dataDirectory = '', provisionPath = ''] = process.argv.slice(2);
const provision = existsSync(provisionPath) ? readProvision(provisionPath) : null;

try {
  const started = await startTerminal({
    ...plainStart,
    dataDirectory: prepareDataDirectory(dataDirectory),
    setUp: setUpBy(provision?.ok === true ? provision.value : null, { isProvisionLasting: false }, () => ({})),
  });
  const { handlers } = started.terminal;
  const state = await handlers['terminal:read']({});
  const listed = await handlers['queue:list']({ statuses: [], offset: 0, limit: 100 });
  // A person's actions: one of each kind that is kept.
  await handlers['settings:update']({ theme: 'light' });
  if (!state.ok) {
    throw new Error(state.failure.kind);
  }
  const { phase, mode, language, profiles, notices } = state.value;
  const seen = {
    phase,
    mode,
    language,
    profiles: profiles.map(({ platformUrl, clientId }) => `${platformUrl} ${clientId}`),
    notices: notices.map(({ kind }) => kind).filter((kind) => kind !== 'vaultUnavailable'),
  };
  await started.close();
  const isClosedToNobody = !listed.ok && listed.failure.kind === 'signInNeeded';
  const listedRows = listed.ok ? listed.value.rows.toReversed() : null;
  const rows = isClosedToNobody ? await readKeptUpdates(dataDirectory) : listedRows;
  const updates =
    rows?.map((row) => `${String(row.id)} ${describeUpdate(row)} ${row.status} ${String(row.parkedBecause)}`) ??
    (listed.ok ? '' : listed.failure.kind);
  console.log(JSON.stringify({ ...seen, updates }));
} catch (error) {
  console.log(JSON.stringify({ refused: error instanceof StorageError ? error.failure : String(error) }));
}
process.exit(0);
