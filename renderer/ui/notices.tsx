import type { ReactElement } from 'react';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { HelpLink } from './help-link.tsx';
import { CrossIcon, WarningIcon } from './icons.tsx';

/** A bar for each notice that stands. */
export function Notices(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const notices = useTerminal((state) => state.notices);
  return (
    <>
      {notices.map(({ id, kind, detail }) => {
        const says = t(`ui.notice.${kind}`, { detail });
        return (
          <div key={id} className="band" data-kind="warn">
            <WarningIcon size={22} />
            <p>{says}</p>
            <HelpLink sentence={says} />
            <button
              type="button"
              className="icon-button"
              aria-label={t('ui.form.dismiss')}
              onClick={() => void bridge.call('notice:dismiss', { id })}
            >
              <CrossIcon size={20} />
            </button>
          </div>
        );
      })}
    </>
  );
}
