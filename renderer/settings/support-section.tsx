import type { ReactElement } from 'react';
import { Diagnostics } from '../support/diagnostics.tsx';

export function SupportSettings(): ReactElement {
  return <Diagnostics isOpenStore />;
}
