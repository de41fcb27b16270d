import { expect, test } from 'vitest';
import { languages } from '../../../app/domain/language.ts';
import { describeStartFailure } from '../../../app/hosts/messages.ts';

test.each(languages)('a disk too full for the queue is not said to have changed nothing, in %s', (language) => {
  // The provisioning file of the same start is kept by then, with its PIN.
  expect(describeStartFailure({ kind: 'storageFull' }, language, '/data')).toMatch(
    /(?:nothing is lost|nada se perde|no se pierde nada)\.$/,
  );
});
