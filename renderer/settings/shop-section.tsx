import type { ReactElement } from 'react';
import { HubSettings } from '../hub/hub-section.tsx';
import { ShopLists } from '../shop-lists/shop-lists.tsx';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { SaveText } from '../ui/save-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** This terminal's set-up as a file for others. */
function ShopFile(): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const hasProfile = useTerminal((state) => state.profiles.length > 0);
  return hasProfile ? (
    <SettingsPart title={t('support.shopFile.title')} about={[t('support.shopFile.text')]}>
      <SaveText
        read={() => bridge.call('provisioning:export', {})}
        label={t('support.shopFile.save')}
        variant="default"
        sign={<LockSign kind="provisioning" />}
      />
    </SettingsPart>
  ) : null;
}

/** What the shop's tills share, and how another one comes to them. */
export function ShopSettings(): ReactElement {
  return (
    <>
      <HubSettings />
      <ShopLists />
      <ShopFile />
    </>
  );
}
