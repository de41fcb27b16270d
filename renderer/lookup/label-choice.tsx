import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useLookup, useWords } from '../stores/context.tsx';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';

/** That a person chose this product for such labels, and the way to choose another one. */
export function LabelChoice({ at }: { readonly at: number }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const chooseAgain = useLookup((lookup) => lookup.chooseAgain);
  return (
    <p className="label-choice">
      {t('lookup.read.chosen', { moment: formatMoment(at, Math.max(at, now), language) })}
      <Button variant="default" onClick={() => void chooseAgain()}>
        {t('lookup.read.chooseAgain')}
      </Button>
    </p>
  );
}
