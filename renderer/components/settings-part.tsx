// Owns the frame of a part of the settings, and how its failure is told. Never holds a setting.
import type { ReactElement, ReactNode } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { FailureText } from './failure-text.tsx';

export function SettingsPart({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section className="panel settings-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function FailureNotice({ failure }: { readonly failure: Failure | null }): ReactElement | null {
  return failure === null ? null : (
    <div className="notice" data-kind="bad" role="alert">
      <FailureText failure={failure} />
    </div>
  );
}
