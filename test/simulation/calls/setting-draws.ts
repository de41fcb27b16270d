import type { InvokeInput } from '../../../app/contract/contract.ts';
import { fieldPlaces } from '../../../app/contract/limits/fields.ts';
import { labelSizes } from '../../../app/contract/limits/labels.ts';
import { scannerTerminators } from '../../../app/contract/limits/scanner.ts';
import { defaultSettings, type ChosenSettings } from '../../../app/contract/settings.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { CallWorld } from './call-row.ts';

type SettingName = keyof ChosenSettings;

/** The values that a setting is given, each of them some time; a setting without a list does not compile. */
export const settingValues: { readonly [Name in SettingName]: readonly ChosenSettings[Name][] } = {
  language: [null, 'en', 'pt-BR', 'es'],
  theme: ['light', 'dark', 'system'],
  shelfLabel: labelSizes.map((size, place) => ({ size, copies: 1 + 49 * place, withBalance: place % 2 === 0 })),
  labelPrinter: [
    { kind: 'dialog' },
    { kind: 'system', name: 'Office' },
    { kind: 'network', host: 'labels.example.com', port: 9100, language: 'zpl', dpi: 203 },
    { kind: 'network', host: 'labels.example.com', port: 9100, language: 'tspl', dpi: 300 },
    { kind: 'serial', path: '/dev/usb/lp0', baudRate: 9600, language: 'epl', dpi: 203 },
  ],
  fileKind: ['xlsx', 'csv'],
  textSize: ['large', 'largest'],
  isTourSeen: [true, false],
  // The history must hold the shift, whatever its clock was set to; what asks is judged by what was chosen.
  queueLimits: [
    { historyDays: 30, askAfterHours: 72 },
    { historyDays: 3650, askAfterHours: 8760 },
    { historyDays: 90, askAfterHours: 24 },
    { historyDays: 365, askAfterHours: 0 },
  ],
  planGraceMinutes: [0, 1, 15, 120],
  // No more than the platform allows: what goes out over that would be the technician's doing.
  allowanceLimits: [
    { limit: 60, windowSeconds: 60, reserve: 3 },
    { limit: 30, windowSeconds: 60, reserve: 0 },
    { limit: 60, windowSeconds: 120, reserve: 5 },
    { limit: 45, windowSeconds: 90, reserve: 10 },
  ],
  rateLimitAccount: ['platform', 'client'],
  quietHours: [
    { from: 22, to: 6 },
    { from: 0, to: 0 },
    { from: 11, to: 12 },
  ],
  expiryAsking: [{ isOn: false }, { isOn: true }],
  scaleLayouts: [[...defaultSettings.scaleLayouts], [], ['2CCCCCCTTTTTV']],
  scanner: [
    defaultSettings.scanner,
    ...scannerTerminators.map((terminator) => ({
      ...defaultSettings.scanner,
      terminator,
      prefix: '#',
      keyboard: 'american' as const,
    })),
  ],
  sounds: [
    { isOn: true, volume: 50 },
    { isOn: false, volume: 0 },
    { isOn: true, volume: 100 },
  ],
  scannerDevice: [
    null,
    { kind: 'serial', vendorId: null, productId: null, serialNumber: null, name: 'COM3', baudRate: 115_200 },
    { kind: 'hid', vendorId: 1504, productId: 6400, serialNumber: 'S1', name: 'Scanner', baudRate: 9600 },
  ],
  companion: [
    defaultSettings.companion,
    { shortcut: null, hideAfterSeconds: 0, keepInTray: true },
    { shortcut: 'Control+Shift+F9', hideAfterSeconds: 600, keepInTray: false },
  ],
  lookupNeedsSignIn: [false, true],
  cashierScreens: [
    { stock: true, stocktakes: true },
    { stock: false, stocktakes: false },
  ],
  shownFields: [
    [],
    [{ path: 'product.sku', name: 'Our number', on: ['card', 'station'] }],
    fieldPlaces.map((place) => ({ path: `product.${place}`, name: place, on: [place] })),
  ],
  cashierChange: [
    { keptDays: 30, lockAfterMinutes: 0, badges: true },
    { keptDays: 365, lockAfterMinutes: 1, badges: true },
    { keptDays: 1, lockAfterMinutes: 120, badges: false },
    { keptDays: 0, lockAfterMinutes: 5, badges: false },
  ],
  station: [
    defaultSettings.station,
    { ...defaultSettings.station, stockWords: 'figures', greeting: 'Bom dia' },
    { ...defaultSettings.station, fewBelow: 40, clearAfterSeconds: 120 },
    { ...defaultSettings.station, isOn: true, clearAfterSeconds: 5 },
  ],
  localApi: [
    defaultSettings.localApi,
    { isOn: true, port: 0, origins: [], mayChangeCoupons: true },
    { isOn: true, port: 17_863, origins: ['https://till.example.com'], mayChangeCoupons: false },
  ],
  localApiTokenHash: [null],
};

export const settingNames = Object.keys(settingValues) as readonly SettingName[];

/** Seldom changed, for the judges know less then. */
const seldom: readonly SettingName[] = [
  'allowanceLimits',
  'rateLimitAccount',
  'station',
  'cashierChange',
  'lookupNeedsSignIn',
];

function valueOf(name: SettingName, random: SeededRandom): InvokeInput<'settings:update'> {
  return { [name]: random.pick<unknown>(settingValues[name]) };
}

/** Draws a change of one setting, now and then of two. */
export function drawSetting({ random, state, evidence }: CallWorld): InvokeInput<'settings:update'> {
  const names = settingNames.filter((name) => !seldom.includes(name) || random.chance(0.4));
  const chosen = {
    ...valueOf(random.pick(names), random),
    ...(random.chance(0.1) ? valueOf(random.pick(names), random) : {}),
  };
  // Where the age at which an update asks is judged by the minute, it stays what it is.
  const { queueLimits } = chosen;
  const kept = evidence.keepsAskingAge && queueLimits !== undefined;
  return {
    ...chosen,
    ...(kept ? { queueLimits: { ...queueLimits, askAfterHours: state.queueLimits.askAfterHours } } : {}),
  };
}
