// Owns the settings about codes: what the scanner sends and how it is told from typing, how answers sound, and the layouts of the store's
// scale labels. Never reads a code.
import type { ReactElement } from 'react';
import { ScaleLayouts } from '../../components/scale-layouts.tsx';
import { ScannerForm } from '../../components/scanner-form.tsx';
import { ScannerTrial } from '../../components/scanner-trial.tsx';
import { SoundsForm } from '../../components/sounds-form.tsx';

export function ScannerSettings(): ReactElement {
  return (
    <>
      <ScannerTrial />
      <ScannerForm />
      <SoundsForm />
      <ScaleLayouts />
    </>
  );
}
