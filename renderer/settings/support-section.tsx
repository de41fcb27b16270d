// Owns the settings' section for the support technician. Never shows a secret.
import type { ReactElement } from 'react';
import { Diagnostics } from '../support/diagnostics.tsx';

export function SupportSettings(): ReactElement {
  return <Diagnostics isOpenStore />;
}
