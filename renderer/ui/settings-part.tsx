import type { ReactElement, ReactNode } from 'react';
import type { LockKind } from '../../app/contract/lock.ts';
import { LockSign } from './lock-sign.tsx';

interface SettingsPartProps {
  readonly title: string;
  /** The kind of the manager's lock that it belongs to, if any. */
  readonly lock?: LockKind;
  readonly children: ReactNode;
}

export function SettingsPart({ title, lock, children }: SettingsPartProps): ReactElement {
  return (
    <section className="panel settings-part" aria-label={title}>
      <h2>
        {title} {lock !== undefined && <LockSign kind={lock} />}
      </h2>
      {children}
    </section>
  );
}
