import type { ReactElement } from 'react';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { CrossIcon, WarningIcon } from './icons.tsx';

/** A bar for each notice that stands. */
export function Notices(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const notices = useTerminal((state) => state.notices);
  return (
    <>
      {notices.map((notice) => (
        <div key={notice.id} className="band" data-kind="warn">
          <WarningIcon size={22} />
          <p>{t(`notice.${notice.kind}`, { detail: notice.detail })}</p>
          <button
            type="button"
            className="icon-button"
            aria-label={t('form.dismiss')}
            onClick={() => void bridge.call('notice:dismiss', { id: notice.id })}
          >
            <CrossIcon size={20} />
          </button>
        </div>
      ))}
    </>
  );
}
