import { fail } from '../../app/domain/result.ts';
import { describeStartFailure } from '../../app/hosts/messages.ts';
import { StorageError } from '../../app/storage/database.ts';
import { createWholeClock, openTerminalOnFiles, whileTimePasses } from '../endurance/terminal-on-files.ts';
import { createSeededRandom } from './seeded-random.ts';

/** The data folder, and what is looked up there once it is open. */
const [directory = '', text] = process.argv.slice(2);
const clock = createWholeClock(1_000_000);

try {
  const terminal = await whileTimePasses(
    clock,
    openTerminalOnFiles({
      directory,
      clock,
      random: createSeededRandom('till'),
      http: { send: () => Promise.resolve(fail({ kind: 'unreachable' })) },
    }),
  );
  const state = await terminal.handlers['terminal:read']({});
  const found = text === undefined ? null : await terminal.handlers['lookup:find']({ text, source: 'typed' });
  console.log(
    JSON.stringify({
      kind: 'opened',
      notices: state.ok ? state.value.notices.map(({ kind }) => kind) : [],
      copied: state.ok ? state.value.catalogue.copied : null,
      found: found?.ok === true ? found.value.kind : null,
      storage: terminal.status().storage,
    }),
  );
  await whileTimePasses(clock, terminal.close());
} catch (error) {
  console.log(
    JSON.stringify(
      error instanceof StorageError
        ? {
            kind: 'refused',
            failure: error.failure.kind,
            words: ['en', 'pt-BR', 'es'].map((language) => describeStartFailure(error.failure, language, directory)),
          }
        : { kind: 'threw', error: String(error) },
    ),
  );
}
