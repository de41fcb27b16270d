// Owns the settings about codes: the layouts of the store's scale labels. Never reads a code.
import type { ReactElement } from 'react';
import { ScaleLayouts } from '../../components/scale-layouts.tsx';

export function ScannerSettings(): ReactElement {
  return <ScaleLayouts />;
}
