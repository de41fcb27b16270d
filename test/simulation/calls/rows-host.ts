import { type CallRows, nothing } from './call-row.ts';
import { drawSetting } from './setting-draws.ts';

const drawing = {
  width: 50,
  height: 30,
  texts: [{ text: 'Product', x: 2, y: 6, size: 4, weight: 'bold' as const, width: 40, align: 'left' as const }],
  shapes: [],
};

const fewAtATime = { cancelled: 'nobody here asks for several at once' };

/** The state, the settings, and what a host has around the terminal. */
export const hostRows = {
  'terminal:read': { weight: 1, draw: nothing },
  'notice:dismiss': {
    weight: 1,
    draw: ({ state, random }) => ({ id: random.pick([null, ...state.notices])?.id ?? 987_654 }),
  },
  'settings:update': {
    weight: 8,
    draw: drawSetting,
    failures: ['inputInvalid'],
    note: ({ evidence, nowMs }, chosen) => {
      const entry = { atMs: nowMs(), chosen };
      evidence.chosen.push(entry);
      return (_answer, { mode, profiles }) => {
        if (mode === 'practice' && profiles.length > 0) {
          // It is practice's alone.
          evidence.chosen.splice(evidence.chosen.indexOf(entry), 1);
        }
      };
    },
  },
  'scanner:listDevices': { weight: 1, draw: nothing, failures: ['notReady'] },
  'companion:hide': { weight: 1, draw: nothing, failures: ['notReady'] },
  'companion:fit': { weight: 1, draw: ({ random }) => ({ height: random.integer(1, 4000) }), failures: ['notReady'] },
  'device:read': { weight: 1, draw: nothing, failures: ['notReady'] },
  'device:checkForUpdate': { weight: 1, draw: nothing, failures: ['notReady'] },
  'device:setStartsAtSignIn': {
    weight: 1,
    draw: ({ random }) => ({ isOn: random.chance(0.5) }),
    failures: ['notReady', 'storageFailed'],
  },
  'device:quit': { weight: 0.15, draw: nothing, failures: ['notReady'] },
  'localApi:makeToken': { weight: 1, draw: nothing, failures: ['notReady'] },
  'window:show': { weight: 1, draw: nothing, failures: ['notReady'] },
  'label:print': {
    weight: 3,
    draw: ({ random }) => ({ labels: [{ drawing, copies: random.integer(1, 10) }] }),
    failures: ['printerUnreachable', 'printerFailed', 'printerBusy', 'cancelled', 'notReady', 'inputInvalid'],
    unseen: { inputInvalid: 'a label of the size that is chosen can be laid out' },
  },
  'label:stop': { weight: 1, draw: nothing, needsShop: false },
  'printer:list': { weight: 1, draw: nothing, failures: ['notReady'] },
  'printer:printPage': {
    weight: 1,
    draw: () => ({ width: 50, height: 30 }),
    failures: ['printerFailed', 'notPrinted'],
  },
  'support:diagnose': { weight: 0.5, draw: nothing, failures: ['cancelled'], unseen: fewAtATime },
  'support:readBundle': { weight: 0.2, draw: nothing, failures: ['cancelled'], unseen: fewAtATime },
} satisfies CallRows<
  | 'terminal'
  | 'notice'
  | 'settings'
  | 'scanner'
  | 'companion'
  | 'device'
  | 'localApi'
  | 'window'
  | 'label'
  | 'printer'
  | 'support'
>;
