// Owns the settings about codes: what the scanner sends and how it is told from typing, how answers sound, and the layouts of the store's
// scale labels. Never reads a code.
import type { ReactElement } from 'react';
import { ScaleLayouts } from './scale-layouts.tsx';
import { ScannerDevice } from '../scanner/scanner-device.tsx';
import { ScannerForm } from '../scanner/scanner-form.tsx';
import { ScannerPath } from '../scanner/scanner-path.tsx';
import { ScannerTrial } from '../scanner/scanner-trial.tsx';
import { SoundsForm } from './sounds-form.tsx';

export function ScannerSettings(): ReactElement {
  return (
    <>
      <ScannerTrial />
      <ScannerPath />
      <ScannerForm />
      <ScannerDevice />
      <SoundsForm />
      <ScaleLayouts />
    </>
  );
}
