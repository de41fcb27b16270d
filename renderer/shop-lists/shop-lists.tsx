import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useStores, useWords } from '../stores/context.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { SaveText } from '../ui/save-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { TakeListsDialog } from './take-lists-dialog.tsx';

/** Minimums, sets and plans as a file for the shop's other tills, and from one of theirs. */
export function ShopLists(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [isOpen, setOpen] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const sign = <LockSign kind="provisioning" />;
  return (
    <SettingsPart title={t('shopLists.title')} about={[t('shopLists.about'), t('shopLists.aboutPlans')]}>
      <SaveText
        read={() => bridge.call('shopLists:export', {})}
        label={t('shopLists.save')}
        variant="default"
        sign={sign}
        beside={
          <Button
            variant="default"
            leftSection={sign}
            onClick={() => {
              setTaken(false);
              setOpen(true);
            }}
          >
            {t('shopLists.open')}
          </Button>
        }
      />
      <p role="status">{isTaken ? t('shopLists.taken') : ''}</p>
      {isOpen && (
        <TakeListsDialog
          close={() => setOpen(false)}
          onTaken={() => {
            setOpen(false);
            setTaken(true);
          }}
        />
      )}
    </SettingsPart>
  );
}
