import type { ReactElement } from 'react';
import { PracticeSettings } from '../practice/practice-settings.tsx';
import { StationSettings } from '../station/station-settings.tsx';
import { CompanionSettings } from './companion-settings.tsx';
import { DeviceSettings } from './device-settings.tsx';
import { PrinterSettings } from './printer-settings.tsx';

/** What this till is, and what stands around it. */
export function TillSettings(): ReactElement {
  return (
    <>
      <PracticeSettings />
      <CompanionSettings />
      <PrinterSettings />
      <StationSettings />
      <DeviceSettings />
    </>
  );
}
