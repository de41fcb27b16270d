// A till at which somebody makes every call of the contract: what it needs around it, what is heard of its answers, and
// how it is put right before the end.
import type { InvokeInput } from '../../../app/contract/contract.ts';
import { defaultSettings, type ChosenSettings } from '../../../app/contract/settings.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import { mapResult } from '../../../app/domain/result.ts';
import { parseProvision } from '../../../app/hosts/provisioning/file.ts';
import type { Shell } from '../../../app/ports.ts';
import type { TerminalOptions } from '../../../app/terminal/terminal.ts';
import { hashQuickly } from '../../support/quick-scrypt.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { CashierWorld, Shop } from '../cashier-world.ts';
import type { Evidence } from '../evidence.ts';
import type { SignInsOfStore } from '../judging.ts';
import type { Network } from '../network.ts';
import { platformEpochMs } from '../referee.ts';
import type { Till } from '../till.ts';
import type { Trace } from '../trace.ts';
import type { World } from '../virtual-clock.ts';
import { createCallMemory } from './call-memory.ts';
import { phaseOf } from './call-row.ts';
import { createCoverage, type Coverage } from './coverage.ts';
import type { HeardAnswer } from './heard-answer.ts';
import { faultOfAnswer, nameOf } from './judge-answers.ts';
import { changedInPractice, createPracticeStore } from './practice-store.ts';
import { createPresser } from './presser.ts';
import { createShopHub } from './shop-hub.ts';
import { drawSurroundings } from './surroundings.ts';

export interface Pressing {
  readonly around: Partial<Shell>;
  readonly beside: (network: Network) => Network;
  readonly options: () => TerminalOptions;
  readonly hearAnswer: (heard: HeardAnswer) => void;
  /** Hears each text that the terminal writes to its settings file. */
  readonly hearSettings: (text: string) => void;
  /** Whether the till is new: nothing sets it up but a person. */
  readonly isNew: boolean;
  /** Somebody begins to press, among these people. */
  begin(people: Pick<CashierWorld, 'till' | 'machine' | 'users' | 'shops' | 'clientSecret' | 'badges'>): void;
  readonly isTillTaken: () => boolean;
  readonly leftSettings: (state: TerminalState) => InvokeInput<'settings:update'> | null;
  /** Nobody presses any more, and no lock is left that nobody can open. */
  heal(): Promise<void>;
  coverage(): Coverage;
  signInsOfPractice(): SignInsOfStore;
  /** Gives back what was taken from the process. */
  close(): void;
}

interface PressingWorld {
  readonly world: World;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly evidence: Evidence;
  /** The settings that must hold in the end, where they are not the defaults. */
  readonly settings: Partial<ChosenSettings>;
  /** Somebody ends the app, and starts it again. */
  readonly restart: () => void;
}

/** The settings on which the judges' bounds rely. */
const judged = ['queueLimits', 'planGraceMinutes', 'allowanceLimits', 'lookupNeedsSignIn', 'cashierChange'] as const;
/** Whoever ends the app starts it again within this time. */
const openBoundMs = 10 * 60_000;

/** Makes what a till needs at which every call is made. */
export function createPressing({ world, random, trace, evidence, settings, restart }: PressingWorld): Pressing {
  // In the world's time, as long as the real hash takes.
  const stopHashing = hashQuickly((answer) => world.after(80, answer));
  const practice = createPracticeStore(world, random.fork('practice'), trace);
  const isNew = random.fork('new').chance(0.25);
  const hub = createShopHub(world, random.fork('hub'));
  const coverage = createCoverage();
  const wanted = { ...defaultSettings, ...settings };
  let isHealing = false;
  let presser: ReturnType<typeof createPresser> | null = null;
  let till: Till | null = null;
  /** As it was written last in this run. */
  let document: Readonly<Record<string, unknown>> | null = null;

  return {
    around: {
      ...drawSurroundings({ world, random: random.fork('surroundings'), quit: restart }),
      startPractice: practice.start,
    },
    beside: practice.beside,
    isNew,
    options: () => {
      document = null;
      return {
        forgetPin: isHealing,
        openHub: hub.open,
        openFile: (text) => mapResult(parseProvision(text), (provision) => ({ provision, keepMachine: () => [] })),
      };
    },
    hearSettings: (text) => {
      const next = JSON.parse(text) as Readonly<Record<string, unknown>>;
      for (const name of changedInPractice(document, next)) {
        evidence.practised.push({ atMs: world.nowMs(), what: `${name} of the terminal has changed in practice` });
      }
      document = next;
    },
    hearAnswer: (heard) => {
      const fault = faultOfAnswer(heard);
      if (fault !== null) {
        evidence.strangeAnswers.push({ atMs: world.nowMs(), what: fault });
      }
      coverage.noteCall(heard.channel, phaseOf(heard.state), nameOf(heard));
      if (heard.channel === 'settings:update' && heard.answer.ok) {
        for (const [name, value] of Object.entries(heard.input as object)) {
          coverage.noteSetting(name, value);
        }
      }
    },
    begin: ({ till: itsTill, machine, users, shops, clientSecret, badges }) => {
      till = itsTill;
      presser = createPresser({
        world,
        random: random.fork('presses'),
        trace,
        till: itsTill,
        machine,
        evidence,
        memory: createCallMemory(badges),
        users,
        shops,
        allShops: [...shops, practice.shop] as [Shop, ...Shop[]],
        clientSecret,
        isNew,
        wallMs: () => platformEpochMs + world.nowMs() + machine.clockOffMs(),
      });
      presser.begin();
    },
    isTillTaken: () => presser?.holdsTill() === true && !isHealing,
    leftSettings: (state) => {
      const wrong = judged.filter((name) => JSON.stringify(state[name]) !== JSON.stringify(wanted[name]));
      return isHealing && wrong.length > 0 ? Object.fromEntries(wrong.map((name) => [name, wanted[name]])) : null;
    },
    heal: async () => {
      presser?.end();
      isHealing = true;
      hub.heal();
      if (till === null) {
        return;
      }
      // A start with the flag that forgets the manager's PIN; without one the check station is off.
      const opened = till;
      await world.runUntil(world.nowMs() + openBoundMs, () => opened.isOpen());
      const life = opened.life();
      restart();
      await world.runUntil(world.nowMs() + openBoundMs, () => opened.isOpen() && opened.life() !== life);
    },
    coverage: () => coverage.sum(),
    signInsOfPractice: practice.signIns,
    close: stopHashing,
  };
}
