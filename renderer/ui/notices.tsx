import type { ReactElement } from 'react';
import type { Notice } from '../../app/contract/terminal-state.ts';
import type { FailureKind } from '../../app/domain/failure.ts';
import { useIsSignedIn, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { HelpLink } from './help-link.tsx';
import { CrossIcon, WarningIcon } from './icons.tsx';
import { useKeyNames } from './keys.tsx';

interface NoticesProps {
  /** What a bar above says already. */
  readonly saidAbove?: FailureKind | null;
}

/** A bar for each notice that stands. */
export function Notices({ saidAbove = null }: NoticesProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const isSignedIn = useIsSignedIn();
  const keyNames = useKeyNames();
  const notices = useTerminal((state) => state.notices);
  const unsaid = new Set<Notice['kind']>([
    // What the settings alone can mend is said where they are.
    ...(isSignedIn ? [] : (['shortcutTaken'] as const)),
    // A disk that takes nothing is said once.
    ...(notices.some(({ kind }) => kind === 'storageFull' || kind === 'storageRefused')
      ? (['auditNotKept'] as const)
      : []),
  ]);
  return (
    <>
      {notices
        .filter(({ kind }) => kind !== saidAbove && !unsaid.has(kind))
        .map(({ id, kind, detail }) => {
          const named = kind === 'shortcutTaken' ? keyNames(detail ?? '').join('+') : detail;
          const says = t(`ui.notice.${kind}`, { detail: named });
          return (
            <div key={id} className="band line-3" data-kind="warn">
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
