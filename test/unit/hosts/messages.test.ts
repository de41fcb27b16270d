import { expect, test } from 'vitest';
import { languages } from '../../../app/domain/language.ts';
import { describeStartFailure } from '../../../app/hosts/messages.ts';

test.each(languages)('a queue that does not open is not said to have changed nothing, in %s', (language) => {
  // The provisioning file of the same start is kept by then, with its PIN.
  for (const kind of ['storageFull', 'storageFromFuture'] as const) {
    expect(describeStartFailure({ kind }, language, '/data')).toMatch(
      /(?:nothing is lost|nada se perde|no se pierde nada)\.$/,
    );
  }
});
