import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Id } from '../../app/domain/int64.ts';
import { typeScan } from '../support/wedge.ts';
import type { Step, StepKind } from './steps.ts';
import { pins, rest, type Till } from './till.ts';
import { shopOf, type Truth } from './truth.ts';

/** Leads out of the shop, to the system's own dialogs or into a language that no step knows, where the walk would end. */
const leftAlone = [
  /save|print|remove|forget|connect|profile|hub|leave|restore|address|update|portug|espa|without signing|station|file|delete|set a pin|change the pin|badge|e-mail and password|sign out|program|device|listen|again$/i,
  /salvar|guardar|imprimir|remover|quitar|esquecer|olvidar|conectar|perfil|sair|salir|encerrar|cerrar ses|restaurar|endereço|dirección|atualizar|actualizar|estação|estación|arquivo|archivo|excluir|eliminar|crachá|credencial|dispositivo|de novo$|otra vez$/i,
];
const pressable =
  'a[href], button:not(:disabled), summary, input:not([type="password"]), [role="switch"], [role="option"], [role="menuitem"], [role="radio"], [role="gridcell"]';

const minuteMs = 60_000;
/** Of the zone that the main process is given, which has no summer time. */
const zoneMs = -180 * minuteMs;

/** What a step has done, as far as the judges must know it. */
export interface Deed {
  /** The product that was scanned last in it. */
  readonly scanned: number | null;
  /** How often F4 was pressed. */
  readonly switchKeys: number;
  /** What was pressed otherwise, in words: it may change whatever it says. */
  readonly pressed: string | null;
}

const nothing: Deed = { scanned: null, switchKeys: 0, pressed: null };

const f4 = { key: 'F4', code: 'F4', windowsVirtualKeyCode: 115, modifiers: 0 } as const;

/** Sooner than any page has answered: sent behind the scan's keys, before the first of them is acknowledged. */
const atOnceMs = 20;

async function scanAndPress(
  session: CDPSession,
  text: string,
  { pauses, f4AfterMs }: Extract<Step, { do: 'scan' }>,
): Promise<void> {
  const pressF4 = async (atMs: number): Promise<void> => {
    const event = { ...f4, timestamp: atMs / 1000 };
    await Promise.all([
      session.send('Input.dispatchKeyEvent', { ...event, type: 'rawKeyDown' }),
      session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' }),
    ]);
  };
  const isAtOnce = f4AfterMs !== null && f4AfterMs <= atOnceMs;
  const scanMs = Object.values(pauses).reduce((sum, pauseMs) => sum + pauseMs, 4 * (text.length + 1));
  const typing = typeScan((method, parameters) => session.send(method, parameters), text, { pauses });
  if (isAtOnce) {
    await pressF4(Date.now() + scanMs + f4AfterMs);
  }
  let lastMs = await typing;
  if (f4AfterMs !== null && !isAtOnce) {
    lastMs += f4AfterMs;
    // By the keys' own times; a person's hand is not faster than the clock.
    await sleep(Math.max(0, lastMs - Date.now()));
    await pressF4(lastMs);
  }
  await sleep(Math.max(0, lastMs + 50 - Date.now()));
}

/** Presses what stands at this part of all that can be pressed; answers its words. */
async function click(page: Page, part: number): Promise<string | null> {
  const found = await page.evaluate(
    ([selector, exceptFor, flags, at]) => {
      const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]')];
      const top = dialogs.filter((one) => one.checkVisibility({ visibilityProperty: true })).at(-1) ?? document;
      const wordsOf = (element: Element): string => {
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        const own = element.getAttribute('aria-label') ?? element.textContent ?? '';
        return [own, ...labels.map((label) => label.textContent)].join(' ').trim();
      };
      const all = [...top.querySelectorAll(selector)].filter((element) => {
        const box = element.getBoundingClientRect();
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return (
          element.checkVisibility({ visibilityProperty: true }) &&
          !new RegExp(exceptFor, flags).test(wordsOf(element)) &&
          hit !== null &&
          // Or it is drawn by what holds it alone; a list holds also what is scrolled out of sight.
          (element.contains(hit) || (hit.contains(element) && hit.querySelectorAll(selector).length === 1))
        );
      });
      const one = all[Math.floor(at * all.length)];
      if (one === undefined) {
        return null;
      }
      const box = one.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, words: wordsOf(one).slice(0, 60) };
    },
    [pressable, leftAlone.map(({ source }) => source).join('|'), 'i', part] as const,
  );
  if (found === null) {
    return null;
  }
  await page.mouse.click(found.x, found.y);
  return found.words;
}

/** The words of what has the keyboard, for keys that press it. */
const focusedWords = (page: Page): Promise<string> =>
  page.evaluate(() =>
    `${document.activeElement?.getAttribute('aria-label') ?? ''} ${document.activeElement?.textContent ?? ''}`
      .trim()
      .slice(0, 60),
  );

type Doers = {
  readonly [Kind in StepKind]: (till: Till, truth: Truth, step: Extract<Step, { do: Kind }>) => Promise<Deed>;
};

const doers: Doers = {
  scan: async (till, truth, step) => {
    await scanAndPress(till.session(), truth.product(step.product).barcode, step);
    return { ...nothing, scanned: step.product, switchKeys: step.f4AfterMs === null ? 0 : 1 };
  },
  key: async (till, _truth, { key }) => {
    const page = till.page();
    const isPress = ['Enter', 'Space', '1'].includes(key);
    const pressed = isPress ? `${key} ${await focusedWords(page)}` : null;
    await page.keyboard.press(key);
    // Behind the last part a browser has buttons of its own; Electron has none, and begins anew.
    if (key.endsWith('Tab') && !(await page.evaluate(() => document.hasFocus()))) {
      await page.keyboard.press(key);
    }
    return { ...nothing, switchKeys: key === 'F4' ? 1 : 0, pressed };
  },
  search: async (till, truth, { product, letters, choose }) => {
    const page = till.page();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+i');
    await page.keyboard.type(truth.product(product).name.slice(0, letters), { delay: 110 });
    await rest(page);
    if (choose) {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    return { ...nothing, pressed: 'search' };
  },
  click: async (till, _truth, { part }) => ({ ...nothing, pressed: await click(till.page(), part) }),
  network: async (till, truth, { isDown }) => {
    till.platform.setNetworkDown(isDown);
    truth.noteWay();
    return nothing;
  },
  platform: async (till, truth, { trouble }) => {
    till.platform.change({
      serverErrorPercent: trouble === 'serverErrors' ? 100 : 0,
      tooManyPercent: trouble === 'tooMany' ? 100 : 0,
      latencyMs: trouble === 'slow' ? 1_500 : 0,
    });
    const kind = trouble === 'silent' ? 'hangBeforeEffect' : 'dropAfterEffect';
    till.platform.setFaults(trouble === 'silent' || trouble === 'halfDone' ? { faults: [{ kind }] } : {});
    truth.noteWay();
    return nothing;
  },
  others: async (_till, truth, { change, product, amount }) => {
    truth.others(change, product, amount);
    return nothing;
  },
  slow: async (till, _truth, { times }) => {
    await till.session().send('Emulation.setCPUThrottlingRate', { rate: times });
    return nothing;
  },
  lock: async (till) => {
    await till.page().keyboard.press('Control+l');
    return nothing;
  },
  forget: (till, _truth, { tokens }) => {
    if (tokens === 'access') {
      till.platform.expireAccessTokens();
    } else {
      till.platform.revokeRefreshTokens();
    }
    return Promise.resolve(nothing);
  },
  shop: async (till, truth, { to }) => {
    const { platformUrl, clientId, clientSecret, secondCompanyId, kioskStockId } = till.platform;
    const { state } = await truth.readTerminal();
    const companyId = to === 'second' ? secondCompanyId : till.platform.companyId;
    const profile = state.profiles.find((one) => one.companyId === companyId);
    if (to === 'practice') {
      await till.invoke('practice:start', {});
    } else if (profile === undefined) {
      await till.invoke('profile:connect', {
        platformUrl,
        clientId,
        clientSecret,
        companyId,
        stockIds: [kioskStockId],
      });
    } else {
      await till.invoke('profile:switch', { profileId: profile.profileId });
    }
    return { ...nothing, pressed: `open is ${shopOf((await truth.readTerminal()).state) ?? 'none'}` };
  },
  appearance: async (till, _truth, { language, textSize, theme }) => {
    await till.invoke('settings:update', { language, textSize, theme });
    return nothing;
  },
  window: async (till, _truth, { awayMs }) => {
    await till.reopen(awayMs);
    await till.page().getByRole('main').waitFor({ timeout: 60_000 });
    return { ...nothing, pressed: 'opens again' };
  },
  bar: async (till, truth, { product, isSwitched }) => {
    if (product === null) {
      await till.hideBar();
      return nothing;
    }
    const { page, session } = await till.showBar();
    await page.getByRole('main').waitFor({ timeout: 60_000 });
    const { name, barcode } = truth.product(product);
    await typeScan((method, parameters) => session.send(method, parameters), barcode);
    const isShown = await page
      .getByRole('region', { name, exact: true })
      .waitFor({ timeout: 3_000 })
      .then(
        () => true,
        () => false,
      );
    if (isSwitched && isShown) {
      await page.keyboard.press('F4');
    }
    await rest(page);
    return { ...nothing, scanned: product, switchKeys: isSwitched && isShown ? 1 : 0 };
  },
  clock: async (till, truth, { aheadMinutes }) => {
    truth.noteClock();
    await till.setClock(aheadMinutes * minuteMs);
    return nothing;
  },
  plan: async (till, truth, { product, isOn }) => {
    const { id, name } = truth.product(product);
    const { state } = await truth.readTerminal();
    const setName = `${name.slice(0, 30)} ${Date.now()}`;
    const set = await till.invoke('couponSet:save', {
      setId: null,
      name: setName,
      how: { kind: 'list', productIds: [id as Id] },
    });
    if (!set.ok) {
      return nothing;
    }
    // The clock is put forward to shortly before the plan is due.
    const leftMs = 4_000;
    const nextMinute = Math.floor((Date.now() + truth.aheadMs()) / minuteMs) + 1;
    await till.setClock(nextMinute * minuteMs - leftMs - Date.now());
    const local = new Date(nextMinute * minuteMs + zoneMs).toISOString();
    const [day, time] = [local.slice(0, 10), local.slice(11, 16)];
    const dueMs = Date.now() + leftMs;
    const planned = await till.invoke('couponSet:plan', {
      setId: set.value.setId,
      times: { repeats: 'once', day, on: isOn ? time : null, off: isOn ? null : time },
    });
    if (planned.ok) {
      const email = state.session.email ?? '';
      truth.plans.push({ productId: id, isEnabled: isOn, email, shop: truth.shop(), dueMs });
      await sleep(leftMs + 500);
    }
    return { ...nothing, pressed: planned.ok ? 'is due' : null };
  },
  signOut: async (till) => {
    const page = till.page();
    const account = page.locator('.account');
    if ((await account.count()) === 1 && (await page.getByRole('dialog').count()) === 0) {
      await account.click();
      const choice = page.getByRole('menuitem', { name: 'Sign out' });
      if ((await choice.count()) === 1) {
        await choice.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      }
    }
    return { ...nothing, pressed: 'Sign out' };
  },
  restart: async (till, _truth, { of }) => {
    await (of === 'page' ? till.page().reload() : till.restart(of));
    await till.page().getByRole('main').waitFor({ timeout: 60_000 });
    return { ...nothing, pressed: 'restart' };
  },
  comeBack: async (till, _truth, { who }) => {
    const page = till.page();
    const { email = '', password = '' } = till.cashiers[who] ?? {};
    const [name = ''] = email.split('@');
    const tile = page.locator('button[aria-pressed]').filter({ hasText: name });
    const form = page.getByLabel('Password', { exact: true });
    // Help may lie over all.
    const over = page.getByRole('dialog').filter({ hasNot: form });
    for (let left = await over.count(); left > 0; left -= 1) {
      await page.keyboard.press('Escape');
    }
    if ((await form.count()) === 1) {
      await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
      await form.fill(password);
      await page.keyboard.press('Enter');
    } else if ((await tile.count()) === 1) {
      await tile.click();
      const field = page.locator('input:focus');
      await field.waitFor().then(
        async () => {
          const isPassword = (await field.getAttribute('name')) === 'password';
          await page.keyboard.type(isPassword ? `${password}\n` : pins[who], { delay: isPassword ? 5 : 120 });
        },
        () => undefined,
      );
      // What is done next is done by who has come.
      await page
        .locator('.account')
        .waitFor({ timeout: 5_000 })
        .catch(() => undefined);
    }
    return { ...nothing, pressed: 'comes back' };
  },
  wait: async (_till, _truth, { ms }) => {
    await sleep(ms);
    return nothing;
  },
  look: () => Promise.resolve(nothing),
};

/** Does the step, and waits until the page rests. */
export async function doStep(till: Till, truth: Truth, step: Step): Promise<Deed> {
  const deed = await (doers[step.do] as (till: Till, truth: Truth, step: Step) => Promise<Deed>)(till, truth, step);
  await rest(till.page());
  return deed;
}
