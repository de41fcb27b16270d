import type { ReactElement } from 'react';
import { LabelChoices } from './label-choices.tsx';
import { ScaleLayouts } from './scale-layouts.tsx';
import { ScannerDevice } from '../scanner/scanner-device.tsx';
import { ScannerForm } from '../scanner/scanner-form.tsx';
import { ScannerPath } from '../scanner/scanner-path.tsx';
import { ScannerTrial } from '../scanner/scanner-trial.tsx';

export function ScannerSettings(): ReactElement {
  return (
    <>
      <ScannerTrial />
      <ScannerPath />
      <ScannerForm />
      <ScannerDevice />
      <ScaleLayouts />
      <LabelChoices />
    </>
  );
}
