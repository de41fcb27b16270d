import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useNow } from '../dom/clock.ts';
import { formatFullMoment } from '../formats/times.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { drawSymbol } from './barcode-symbol.ts';
import { sizesFor } from './label-fields.tsx';
import { layOut } from './layout.ts';
import { labelPapers } from './sizes.ts';
import { dotOf, useLabelPrinting } from './use-label-printing.tsx';

const trialCode = 'TILLSIDE-1';

/** One label that shows what a printer must be able to do; `isOffered`: its settings are kept. */
export function TrialLabel({ isOffered }: { readonly isOffered: boolean }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const printer = useTerminal((state) => state.labelPrinter);
  const kept = useTerminal((state) => state.shelfLabel.size);
  const size = sizesFor(printer).includes(kept) ? kept : '50x30';
  const { isPrinting, print, part } = useLabelPrinting(size, 1);
  const draw = () =>
    layOut(
      {
        name: t('settings.printer.trialName'),
        line: '',
        fields: [],
        symbol: drawSymbol({ type: 'C128', text: trialCode }),
        readable: trialCode,
        facts: 'ÁÇÃÑ áçãñ €',
        date: formatFullMoment(now, language),
      },
      labelPapers[size].label,
      dotOf(printer),
    );
  return (
    <>
      <div>
        <Button
          variant="default"
          disabled={!isOffered || isPrinting}
          onClick={() => print([{ label: draw(), copies: 1 }])}
        >
          {t('settings.printer.trial')}
        </Button>
      </div>
      {part}
    </>
  );
}
