import type { ScannerDeviceKind, ScannerReading } from '../../../domain/scanner-device.ts';

export const askChannel = 'scanner-device:ask';
export const answerChannel = 'scanner-device:answer';

/**
 * `look`: ask the system which devices of this kind there are; the main process hears it. `open`: open the one that the
 * main process lets through.
 */
export type DeviceAsk = { readonly id: number; readonly kind: ScannerDeviceKind } & (
  | { readonly to: 'look' }
  | { readonly to: 'open'; readonly baudRate: number }
);

export const openOutcomes = ['opened', 'absent', 'refused', 'unsuited'] as const;
export type OpenOutcome = (typeof openOutcomes)[number];

export type DeviceAnswer =
  | {
      readonly is: 'outcome';
      readonly id: number;
      readonly outcome: OpenOutcome;
      /** For the log. */ readonly reason: string;
    }
  | { readonly is: 'closed' }
  | ({ readonly is: 'reading' } & ScannerReading);
