import { useEffect, type ReactElement } from 'react';
import { useStocktakes, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { Working } from '../ui/working.tsx';
import { Counting } from './counting.tsx';
import { StocktakeList } from './stocktake-list.tsx';

/** All counts, or the one that somebody is in; whoever comes back to the screen is in it again. */
export function Stocktakes(): ReactElement {
  const { t } = useWords();
  const [openId, setOpenId] = useDraft('stocktake', '');
  const { current, failure, open, leave } = useStocktakes((store) => store);
  const isOpen = openId !== '' && current?.id === Number(openId);
  useEffect(() => {
    if (openId !== '' && !isOpen) {
      void open(Number(openId)).then((isThere) => (isThere ? undefined : setOpenId('')));
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once for each count that is opened
  }, [openId, isOpen, open]);
  if (openId === '') {
    return <StocktakeList onOpen={(id) => setOpenId(String(id))} />;
  }
  return isOpen ? (
    <Counting
      stocktake={current}
      leave={() => {
        setOpenId('');
        leave();
      }}
    />
  ) : (
    <div className="listing">
      <h1>{t('shell.screen.stocktakes')}</h1>
      <FailureNotice failure={failure} />
      {failure === null && <Working words={t('ui.list.reading')} />}
    </div>
  );
}
