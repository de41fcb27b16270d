// Electron's security checklist (https://www.electronjs.org/docs/latest/tutorial/security), item by item, attacked from
// inside the real page, or from a main process that has been told to do what it should not.
import { createServer, type Server } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchElectron, launchElectronForTest, whyNoElectron, type ElectronSession } from '../../support/electron.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';
import { listenLocally } from '../../support/listen.ts';
import { invoke } from '../story.ts';

const missing = whyNoElectron();

describe.skipIf(missing !== null)("Electron's checklist", () => {
  const directory = makeTemporaryDirectory();
  let session: ElectronSession;
  let server: Server;
  let outside: string;
  let hits: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      hits.push(request.url ?? '');
      response
        .writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/html' })
        .end('<h1>outside</h1>');
    });
    const port = await listenLocally(server);
    outside = `http://127.0.0.1:${port}`;
    session = await launchElectron(['--data-dir', directory.path, '--lang', 'en']);
    await session.page.getByRole('button', { name: 'Practice store' }).waitFor();
  });
  afterAll(async () => {
    await session.kill();
    server.close();
    directory.remove();
  });

  const preferences = (): Promise<Record<string, unknown>[]> =>
    session.application.evaluate(({ webContents }) =>
      webContents
        .getAllWebContents()
        .map((contents) => ({
          ...(contents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences(),
        })),
    );

  test("1 the page is the app's own; neither the page nor a main process gone astray reaches the network", async () => {
    hits = [];
    expect(await session.page.evaluate(() => window.location.origin)).toBe('app://tillside');
    const refused = await session.page.evaluate(async (address) => {
      const attempts: Record<string, () => Promise<unknown>> = {
        fetch: () => fetch(`${address}/fetch`),
        noCors: () => fetch(`${address}/no-cors`, { mode: 'no-cors' }),
        image: () =>
          new Promise((resolve, reject) =>
            Object.assign(new Image(), { onload: resolve, onerror: reject, src: `${address}/image` }),
          ),
        socket: () =>
          new Promise((resolve, reject) =>
            Object.assign(new WebSocket(address.replace('http', 'ws')), { onopen: resolve, onerror: reject }),
          ),
        events: () =>
          new Promise((resolve, reject) =>
            Object.assign(new EventSource(`${address}/events`), { onopen: resolve, onerror: reject }),
          ),
        beacon: () =>
          Promise.resolve().then(
            () => navigator.sendBeacon(`${address}/beacon`) || Promise.reject(new Error('refused')),
          ),
        preload: () =>
          new Promise((resolve, reject) =>
            document.head.append(
              Object.assign(document.createElement('link'), {
                rel: 'stylesheet',
                href: `${address}/sheet`,
                onload: resolve,
                onerror: reject,
              }),
            ),
          ),
        worker: () =>
          Promise.resolve().then(
            () =>
              new Promise((resolve, reject) =>
                Object.assign(new Worker('./worker.js'), { onmessage: resolve, onerror: reject }),
              ),
          ),
        serviceWorker: () => navigator.serviceWorker.register('./worker.js'),
      };
      const outcomes = await Promise.all(
        Object.entries(attempts).map(async ([name, attempt]) =>
          attempt().then(
            () => name,
            () => null,
          ),
        ),
      );
      return outcomes.filter((name) => name !== null && name !== 'beacon');
    }, outside);
    expect(refused).toEqual([]);
    const loaded = await session.application.evaluate(async ({ BrowserWindow, net }, address) => {
      const window = new BrowserWindow({ show: false });
      const page = await window.loadURL(`${address}/page`).then(
        () => 'loaded',
        (error: unknown) => String(error),
      );
      const { session: own } = window.webContents;
      const fetched = await own.fetch(`${address}/own`).then(
        () => 'fetched',
        (error: unknown) => String(error),
      );
      window.destroy();
      return { page, fetched, isOnline: typeof net.isOnline() };
    }, outside);
    expect(loaded.page).toContain('ERR_BLOCKED_BY_CLIENT');
    expect(loaded.fetched).toContain('ERR_BLOCKED_BY_CLIENT');
    expect(hits).toEqual([]);
  });

  test('2, 3, 4, 6, 8, 9, 10 every page has no Node, is isolated and sandboxed, and has its walls up', async () => {
    for (const one of await preferences()) {
      expect(one).toMatchObject({ contextIsolation: true, sandbox: true, webSecurity: true });
      for (const name of [
        'nodeIntegration',
        'nodeIntegrationInWorker',
        'nodeIntegrationInSubFrames',
        'webviewTag',
        'allowRunningInsecureContent',
        'experimentalFeatures',
        'plugins',
        'navigateOnDragDrop',
      ]) {
        expect([name, one[name] ?? false]).toEqual([name, false]);
      }
      expect(one['enableBlinkFeatures'] ?? '').toBe('');
    }
    const seen = await session.page.evaluate(() =>
      ['require', 'process', 'module', 'exports', 'global', 'Buffer', 'setImmediate', '__dirname', 'electron'].filter(
        (name) => name in window,
      ),
    );
    expect(seen).toEqual([]);
    if (process.platform === 'linux' && process.getuid?.() !== 0) {
      // As root Chromium cannot have its sandbox; for everybody else the system itself says that the page's calls are
      // filtered.
      const pid = await session.application.evaluate(({ BrowserWindow }) =>
        BrowserWindow.fromId(1)?.webContents.getOSProcessId(),
      );
      expect(readFileSync(`/proc/${String(pid)}/status`, 'utf8')).toMatch(/^Seccomp:\s+2$/m);
    }
  });

  test('3 what the page does to the built-in objects does not reach the other side of the bridge', async () => {
    const answer = await session.page.evaluate(async () => {
      const { push } = Array.prototype;
      const steal = (target: object, name: string, value: unknown): void => {
        Reflect.defineProperty(target, name, { value, configurable: true, writable: true });
      };
      steal(Array.prototype, 'push', () => {
        throw new Error('stolen');
      });
      steal(Object.prototype, 'channel', 'stolen');
      try {
        return await window.tillside?.invoke('terminal:read', {});
      } finally {
        steal(Array.prototype, 'push', push);
        Reflect.deleteProperty(Object.prototype, 'channel');
      }
    });
    expect(answer).toMatchObject({ ok: true });
  });

  test('5 every permission is denied, asked or queried, and no device is given', async () => {
    const granted = await session.page.evaluate(async () => {
      const names = [
        'camera',
        'microphone',
        'geolocation',
        'notifications',
        'midi',
        'clipboard-read',
        'persistent-storage',
        'screen-wake-lock',
        'idle-detection',
        'window-management',
        'local-fonts',
        'storage-access',
        'accelerometer',
        'background-sync',
        'display-capture',
      ];
      const queried = await Promise.all(
        names.map(async (name) =>
          navigator.permissions.query({ name: name as PermissionName }).then(
            ({ state }) => (state === 'denied' ? null : `query ${name}: ${state}`),
            () => null,
          ),
        ),
      );
      const devices = navigator as unknown as Record<
        string,
        Record<string, (options: object) => Promise<unknown>> | undefined
      >;
      const attempts: Record<string, () => Promise<unknown>> = {
        camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
        microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
        screen: () => navigator.mediaDevices.getDisplayMedia({ video: true }),
        place: () =>
          new Promise((resolve, reject) =>
            navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: 2000 }),
          ),
        notifications: async () =>
          (await Notification.requestPermission()) === 'denied' ? Promise.reject(new Error('denied')) : true,
        clipboard: () => navigator.clipboard.readText(),
        midi: () => navigator.requestMIDIAccess({ sysex: true }),
        usb: async () => devices['usb']?.['requestDevice']?.({ filters: [] }) ?? Promise.reject(new Error('absent')),
        hid: async () =>
          ((await (devices['hid']?.['requestDevice']?.({ filters: [] }) ?? Promise.resolve([]))) as unknown[]).length >
            0 || Promise.reject(new Error('none')),
        serial: async () => devices['serial']?.['requestPort']?.({}) ?? Promise.reject(new Error('absent')),
        bluetooth: async () =>
          devices['bluetooth']?.['requestDevice']?.({ acceptAllDevices: true }) ?? Promise.reject(new Error('absent')),
      };
      const tried = await Promise.all(
        Object.entries(attempts).map(async ([name, attempt]) =>
          attempt().then(
            () => name,
            () => null,
          ),
        ),
      );
      return [...queried, ...tried].filter((name) => name !== null);
    });
    expect(granted).toEqual([]);
  });

  test('7 the policy refuses scripts and markup that come as text, and styles without the nonce', async () => {
    const violations = await session.page.evaluate(async () => {
      const passed: string[] = [];
      const marks = window as unknown as Record<string, unknown>;
      const attempt = (name: string, action: () => unknown): void => {
        try {
          action();
        } catch {
          return;
        }
        marks['unthrown'] = [...((marks['unthrown'] as string[] | undefined) ?? []), name];
      };
      attempt('innerHTML', () => {
        document.createElement('div').innerHTML = '<img src=x onerror="window.marked = 1">';
      });
      attempt('outerHTML', () => {
        const inner = document.createElement('p');
        document.createElement('div').append(inner);
        inner.outerHTML = '<b>x</b>';
      });
      attempt('insertAdjacentHTML', () => document.createElement('div').insertAdjacentHTML('beforeend', '<b>x</b>'));
      attempt('write', () => (document as unknown as { write(text: string): void }).write('<b>x</b>'));
      attempt('srcdoc', () => {
        document.createElement('iframe').srcdoc = '<b>x</b>';
      });
      attempt('parse', () => new DOMParser().parseFromString('<b>x</b>', 'text/html'));
      attempt('fragment', () => document.createRange().createContextualFragment('<b>x</b>'));
      attempt('script text', () => {
        document.createElement('script').textContent = 'window.marked = 1';
      });
      attempt('script address', () => {
        document.createElement('script').src = 'app://tillside/assets/x.js';
      });
      attempt('policy', () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy('mine', {}),
      );
      attempt('second default policy', () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy('default', { createScript: (text: string) => text }),
      );
      passed.push(...((marks['unthrown'] as string[] | undefined) ?? []));
      // An attempt that does not throw must do nothing.
      const style = document.createElement('style');
      style.append('body { outline: 7px solid red }');
      document.head.append(style);
      const link = Object.assign(document.createElement('a'), { href: 'javascript:void(window.marked = 1)' });
      document.body.append(link);
      link.click();
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (marks['marked'] !== undefined) {
        passed.push('a script ran');
      }
      if (getComputedStyle(document.body).outlineWidth === '7px') {
        passed.push('a style without the nonce');
      }
      link.remove();
      style.remove();
      delete marks['unthrown'];
      return passed;
    });
    expect(violations).toEqual([]);
    const head = await session.page.evaluate(async () =>
      (await fetch('app://tillside/')).headers.get('content-security-policy'),
    );
    expect(head).toContain("default-src 'none'; script-src 'self';");
    expect(head).toContain("require-trusted-types-for 'script'; trusted-types default");
    expect(head).not.toMatch(/unsafe|https?:|\*/);
  });

  test('7 eval and its kin are refused, as an injected script would use them', async () => {
    const ran = await session.application.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.fromId(1)?.webContents;
      // Put into the page as a script of its own would be: by a timer, outside of what the debugger may do.
      return contents?.executeJavaScript(`new Promise((resolve) => setTimeout(() => {
        const ran = [];
        for (const [name, action] of Object.entries({
          eval: () => eval('1'),
          indirect: () => (0, eval)('1'),
          Function: () => new Function('return 1')(),
          async: () => Object.getPrototypeOf(async () => {}).constructor('return 1')(),
          timer: () => { setTimeout('window.marked = 1', 0); throw new Error('judged later'); },
          wasm: () => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
        })) {
          try { action(); ran.push(name); } catch {}
        }
        setTimeout(() => resolve([...ran, ...(window.marked === undefined ? [] : ['timer'])]), 100);
      }, 0))`) as Promise<unknown>;
    });
    expect(ran).toEqual([]);
  });

  test('11, 12 there is no webview, not even in a window that allows it', async () => {
    expect(await session.page.evaluate(() => document.createElement('webview').constructor.name)).toBe('HTMLElement');
    const attached = await session.application.evaluate(async ({ BrowserWindow, webContents }) => {
      const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } });
      let count = 0;
      window.webContents.on('did-attach-webview', () => (count += 1));
      await window.loadURL('app://tillside/');
      await window.webContents
        .executeJavaScript(
          `document.body.append(Object.assign(document.createElement('webview'), { src: 'app://tillside/' }))`,
        )
        .catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const guests = webContents.getAllWebContents().filter((contents) => contents.getType() === 'webview').length;
      window.destroy();
      return count + guests;
    });
    expect(attached).toBe(0);
  });

  test('13 the page goes nowhere', async () => {
    hits = [];
    const before = session.page.url();
    const targets = [
      outside,
      'https://example.com/',
      'file:///etc/passwd',
      'app://tillside/elsewhere',
      'app://other/',
      'data:text/html,x',
      'about:blank',
      'blob:app://tillside/1',
      'chrome://gpu',
      'devtools://devtools/bundled/inspector.html',
      'view-source:app://tillside/',
      'tillside://x',
    ];
    for (const target of targets) {
      await session.application.evaluate(({ BrowserWindow }, address) => {
        const source = JSON.stringify(address);
        void BrowserWindow.fromId(1)
          ?.webContents.executeJavaScript(
            `(() => {
          for (const go of [() => { location.href = ${source}; }, () => location.replace(${source}), () => Object.assign(document.createElement('a'), { href: ${source} }).click(), () => {
            const form = Object.assign(document.createElement('form'), { action: ${source}, method: 'post' });
            document.body.append(form); form.submit(); form.remove();
          }]) { try { go(); } catch {} }
        })()`,
            true,
          )
          .catch(() => undefined);
      }, target);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    // A blank page is the one that Chromium asks nobody about; the app takes its page back (R5 of page-keeper.ts).
    await expect
      .poll(() =>
        session.application.evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
        ),
      )
      .toContain(before);
    // It has come back for good when it outlasts a while.
    const textThatLasts = (): Promise<string> =>
      session.page
        .evaluate(async () => {
          await new Promise((resolve) => setTimeout(resolve, 500));
          return document.body.innerText;
        })
        .catch(String);
    await expect.poll(textThatLasts).toContain('Practice store');
    const framed = await session.page.evaluate(async (address) => {
      const frame = Object.assign(document.createElement('iframe'), { src: address });
      document.body.append(frame);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { length } = window.frames;
      let text = '';
      try {
        text = frame.contentDocument?.body.textContent ?? '';
      } catch {
        // Another origin's: an error page of the browser, which shows nothing of the address.
      }
      frame.remove();
      return { length, text };
    }, outside);
    expect(framed.text).toBe('');
    expect(hits).toEqual([]);
  });

  test('14 no window opens, by script or by a link', async () => {
    const windows = (): Promise<number> =>
      session.application.evaluate(({ webContents }) => webContents.getAllWebContents().length);
    const before = await windows();
    const opened = await session.page.evaluate(async (address) => {
      const results = [address, 'about:blank', 'app://tillside/', 'javascript:1', ''].map((target) =>
        window.open(target),
      );
      const link = Object.assign(document.createElement('a'), {
        href: 'app://tillside/',
        target: '_blank',
        rel: 'opener',
      });
      document.body.append(link);
      link.click();
      link.remove();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return results.filter((result) => result !== null).length;
    }, outside);
    expect(opened).toBe(0);
    expect(await windows()).toBe(before);
  });

  test("17 a page that is not one of the app's own is refused, whatever its address and preload script", async () => {
    const answers = await session.application.evaluate(async ({ BrowserWindow, app }) => {
      const preload = `${app.getAppPath()}/dist/preload.cjs`;
      const call = `window.tillside.invoke('terminal:read', {}).then((answer) => 'answered ' + JSON.stringify(answer).slice(0, 50), (error) => String(error))`;
      const reported: unknown[] = [];
      for (const nodeIntegrationInSubFrames of [false, true]) {
        const window = new BrowserWindow({
          show: false,
          webPreferences: { preload, sandbox: true, nodeIntegrationInSubFrames },
        });
        await window.loadURL('app://tillside/');
        reported.push(await window.webContents.executeJavaScript(call));
        window.destroy();
      }
      return reported;
    });
    expect(answers).toHaveLength(2);
    for (const reported of answers) {
      expect(reported).toMatch(/^Error: .*refused/);
    }
  });

  test('17 a frame within the page has no bridge of its own', async () => {
    const kinds = await session.page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const kind = typeof (frame.contentWindow as unknown as { tillside?: unknown } | null)?.tillside;
      frame.remove();
      return kind;
    });
    expect(kinds).toBe('undefined');
  });

  test('17 a script cannot fill the main process with calls, few and large or many and small', async () => {
    const rss = (): Promise<number> => session.application.evaluate(() => process.memoryUsage.rss());
    const before = await rss();
    const page = session.page.evaluate(async () => {
      type Answer = { failure?: { kind: string; message?: string } };
      const tell = (answer: unknown): string => (answer as Answer).failure?.kind ?? 'answered';
      let refusedHere = 0;
      const large = ['x'.repeat(100_000_000), { deep: ['x'.repeat(4_000_000)] }, [new Map([[1, 'x']])]].map((code) =>
        window.tillside?.invoke('lookup:find', { code, source: 'scanner' }).then(tell, () => 'refused'),
      );
      const small = Array.from({ length: 2_000 }, () =>
        window.tillside?.invoke('lookup:find', { code: 'x'.repeat(300_000), source: 'scanner' }).then((answer) => {
          // By the preload script, whose word this is: the main process never saw it.
          refusedHere += (answer as Answer).failure?.message === 'too much' ? 1 : 0;
          return tell(answer);
        }),
      );
      return { kinds: [...new Set(await Promise.all([...large, ...small]))], refusedHere };
    });
    let most = before;
    while ((await Promise.race([page, new Promise((resolve) => setTimeout(resolve, 20, null))])) === null) {
      most = Math.max(most, await rss());
    }
    const { kinds, refusedHere } = (await page) ?? {};
    expect(kinds).toEqual(['inputInvalid']);
    // 8,000,000 characters may wait, of these 26.
    expect(refusedHere).toBeGreaterThan(1_900);
    expect(Math.max(most, await rss()) - before).toBeLessThan(100_000_000);
    expect(await session.page.evaluate(() => window.tillside?.invoke('terminal:read', {}))).toMatchObject({ ok: true });
  });

  test('18 app:// has the built files alone, however the path is written, and file: is out of reach', async () => {
    const reached = await session.application.evaluate(async ({ session: { defaultSession }, BrowserWindow }) => {
      const ask = async (address: string, method = 'GET'): Promise<string> =>
        defaultSession.fetch(address, { method }).then(
          async (response) => `${String(response.status)} ${(await response.text()).slice(0, 40)}`,
          (error: unknown) => String(error),
        );
      const paths = [
        '/../package.json',
        '/../../package.json',
        '/%2e%2e/package.json',
        '/%2e%2e%2fpackage.json',
        '/..%2fmain.js',
        '/..%5cmain.js',
        '/assets/../../main.js',
        '/assets/%2e%2e/%2e%2e/main.js',
        '/....//main.js',
        '//etc/passwd',
        '/etc/passwd',
        '/%00',
        '/index.html%00',
        '/index.html%00.js',
        '/./main.js',
        '/assets',
        '/assets/',
        '/%',
        '/%zz',
        '/C:/Windows/win.ini',
        '/\\..\\main.js',
        '/index.html/',
        '/__proto__',
        '/constructor',
        `/${'a/'.repeat(5000)}`,
      ];
      const reported: Record<string, string> = {};
      for (const path of paths) {
        reported[path.slice(0, 60)] = await ask(`app://tillside${path}`);
      }
      for (const address of [
        'app://other/',
        'app://tillside.example.com/',
        'app://tillside@other/',
        'app:///index.html',
      ]) {
        reported[address] = await ask(address);
      }
      for (const method of ['POST', 'PUT', 'DELETE']) {
        reported[method] = await ask('app://tillside/', method);
      }
      const window = new BrowserWindow({ show: false });
      reported['file'] = await window.loadURL('file:///etc/passwd').then(
        () => '200',
        (error: unknown) => String(error),
      );
      window.destroy();
      reported['file by fetch'] = await ask('file:///etc/passwd');
      return { reported, index: await ask('app://tillside/') };
    });
    expect(reached.index).toMatch(/^200 <!doctype html>/);
    const wrong = Object.entries(reached.reported).filter(
      ([, answer]) => !/^404 Not found$|ERR_|TypeError|fetch failed/.test(answer),
    );
    expect(wrong).toEqual([]);
    const fromPage = await session.page.evaluate(async () =>
      Promise.all(
        ['file:///etc/passwd', 'app://other/', 'filesystem:app://tillside/x'].map((address) =>
          fetch(address).then(
            ({ status }) => status,
            () => 'refused',
          ),
        ),
      ),
    );
    expect(fromPage).toEqual(['refused', 'refused', 'refused']);
  });

  test("20 the bridge is two functions, and hands over none of Electron's objects", async () => {
    const bridge = await session.page.evaluate(async () => {
      const { tillside } = window;
      const kinds = Object.entries(tillside ?? {}).map(([name, value]) => `${name}: ${typeof value}`);
      const received = new Promise<number>((resolve) => {
        const end = tillside?.subscribe((...parts: unknown[]) => {
          end?.();
          resolve(parts.length);
        });
      });
      await tillside?.invoke('settings:update', { theme: 'dark' });
      const isFixed = (() => {
        try {
          (window as unknown as Record<string, unknown>)['tillside'] = null;
        } catch {
          return true;
        }
        return window.tillside !== null;
      })();
      return { kinds, parts: await received, isFixed };
    });
    expect(bridge).toEqual({ kinds: ['invoke: function', 'subscribe: function'], parts: 2, isFixed: true });
    const listened = await session.application.evaluate(({ ipcMain }) => ipcMain.eventNames().map(String));
    // The only event that Electron itself listens to.
    expect(listened.filter((name) => name !== 'error')).toEqual([]);
  });

  test('no script keeps the window open, opens dialogs or windows, or asks twice where to save', async () => {
    const other = await launchElectronForTest([]);
    await other.page.getByRole('button', { name: 'Practice store' }).waitFor();
    const asked = await other.application.evaluate(async ({ BrowserWindow, session: { defaultSession } }) => {
      const paths: string[] = [];
      defaultSession.on('will-download', (event, item) => {
        if (!event.defaultPrevented) {
          paths.push(item.getFilename());
          item.setSaveDialogOptions({ title: 'held' });
        }
      });
      const contents = BrowserWindow.fromId(1)?.webContents;
      const isConfirmed: unknown = await contents?.executeJavaScript(`(() => {
        window.addEventListener('beforeunload', (event) => event.preventDefault());
        for (let number = 0; number < 5; number += 1) {
          const href = URL.createObjectURL(new Blob(['a,b'], { type: 'text/csv' }));
          Object.assign(document.createElement('a'), { href, download: 'x' + number + '.csv' }).click();
        }
        alert('x');
        return confirm('x');
      })()`);
      const pickers: unknown = await contents?.executeJavaScript(
        `['showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker', 'EyeDropper'].filter((name) => name in window)`,
      );
      // With a person's press, without which it is refused anyway.
      const above: unknown = await contents?.executeJavaScript(
        `(async () => {
          const canvas = document.createElement('canvas');
          canvas.getContext('2d').fillRect(0, 0, 9, 9);
          const video = Object.assign(document.createElement('video'), { muted: true, srcObject: canvas.captureStream(5) });
          document.body.append(video);
          await video.play();
          return video.requestPictureInPicture().then(() => 'opened', ({ name }) => name);
        })()`,
        true,
      );
      await new Promise((resolve) => setTimeout(resolve, 1000));
      // The system's dialog for printing, which nobody answers.
      void contents?.executeJavaScript('window.print()').catch(() => undefined);
      return { paths, isConfirmed, pickers, above };
    });
    // A dialog of the page's own would not have let it answer.
    expect(asked).toEqual({ paths: ['x0.csv'], isConfirmed: false, pickers: [], above: 'SecurityError' });
    await other.page.waitForTimeout(1000);
    other.application.process().kill('SIGTERM');
    expect(await other.ended).toBe(0);
  });

  test('a field for a colour has no magnifier over the screen either', async () => {
    const other = await launchElectronForTest([]);
    await other.page.getByRole('button', { name: 'Practice store' }).waitFor();
    await other.page.evaluate(() => {
      const field = Object.assign(document.createElement('input'), { type: 'color', value: '#123456' });
      field.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 40px; opacity: 0';
      document.body.append(field);
      field.addEventListener('click', () => field.showPicker());
    });
    // The picker stands in a window of Chromium's own, which no page and no debugger sees: it is looked for on the screen.
    const lookBesideColour = () =>
      other.application.evaluate(async ({ desktopCapturer, screen }) => {
        const { width, height } = screen.getPrimaryDisplay().size;
        const [shown] = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: { width, height } });
        const pixels = shown?.thumbnail.toBitmap() ?? Buffer.alloc(0);
        const at = (x: number, y: number): string =>
          pixels.toString('hex', 4 * (y * width + x), 4 * (y * width + x) + 3);
        const chosen = '563412'.repeat(20);
        for (let y = 0; y < height; y += 1) {
          const x =
            pixels
              .toString('hex', 4 * y * width, 4 * (y + 1) * width)
              .replaceAll(/(.{6})../g, '$1')
              .indexOf(chosen) / 6;
          if (x > 0) {
            const beside = [...Array(400).keys()].map((place) => at(x - 40 + (place % 20), y + Math.floor(place / 20)));
            return [...new Set(beside)];
          }
        }
        return null;
      });
    await other.page.mouse.click(10, 10);
    await expect.poll(lookBesideColour, { timeout: 10_000 }).toEqual(['ffffff']);
  });

  test('no script moves or resizes a window: the companion bar lies above every program', async () => {
    const { before, after } = await session.application.evaluate(async ({ BrowserWindow, app }) => {
      const bar = new BrowserWindow({
        width: 600,
        height: 84,
        alwaysOnTop: true,
        webPreferences: { preload: `${app.getAppPath()}/dist/preload.cjs`, sandbox: true },
      });
      await bar.loadURL('app://tillside/companion.html');
      const windows = [BrowserWindow.fromId(1), bar];
      const boundsOf = () => windows.map((window) => window?.getBounds());
      const first = boundsOf();
      for (const window of windows) {
        await window?.webContents.executeJavaScript(
          'window.moveTo(7, 9); window.moveBy(11, 13); window.resizeTo(900, 640); window.resizeBy(20, 30);',
          true,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      const last = boundsOf();
      bar.destroy();
      return { before: first, after: last };
    });
    expect(after).toEqual(before);
  });

  test('no script closes a window: a kiosk would end, and without its bar the till answers nothing', async () => {
    const other = await launchElectronForTest([]);
    await other.page.getByRole('button', { name: 'Practice store' }).waitFor();
    // Where the window can be closed, nobody needs a call that ends the app.
    expect(await invoke(other.page, 'device:quit')).toEqual({ ok: false, failure: { kind: 'notReady' } });
    const left = await other.application.evaluate(async ({ BrowserWindow, app }) => {
      const bar = new BrowserWindow({
        webPreferences: { preload: `${app.getAppPath()}/dist/preload.cjs`, sandbox: true },
      });
      await bar.loadURL('app://tillside/companion.html');
      const windows = BrowserWindow.getAllWindows();
      for (const { webContents } of windows) {
        await webContents.executeJavaScript(
          `{ const frame = document.createElement('iframe');
            document.body.append(frame);
            history.back();
            setTimeout(() => [frame.contentWindow, window].forEach((other) => other.close.call(window)), 200); }`,
          true,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return windows.map((window) => window.isDestroyed());
    });
    expect(left).toEqual([false, false]);
  });

  test('downloads are refused, but for a table or a document that the page has made itself', async () => {
    const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const outcomes = await session.application.evaluate(
      async ({ session: { defaultSession }, BrowserWindow }, { address, type }) => {
        const reported: string[] = [];
        defaultSession.on('will-download', (event, item) => {
          reported.push(`${item.getMimeType()} ${event.defaultPrevented ? 'refused' : 'let through'}`);
          event.preventDefault();
        });
        const contents = BrowserWindow.fromId(1)?.webContents;
        const saved = (source: string, name: string): Promise<unknown> =>
          contents?.executeJavaScript(
            `(() => { const link = Object.assign(document.createElement('a'), { href: ${source}, download: '${name}' }); document.body.append(link); link.click(); link.remove(); })()`,
            true,
          ) ?? Promise.resolve();
        const blob = (given: string): string => `URL.createObjectURL(new Blob(['x'], { type: '${given}' }))`;
        for (const [source, name] of [
          [blob('application/x-msdownload'), 'x.exe'],
          [blob('text/html'), 'x.html'],
          [`'data:text/csv,x'`, 'x.csv'],
          [blob('text/csv'), 'x.csv'],
          [blob('text/csv'), 'x.desktop'],
          [blob(type), 'x.xlsx'],
          [blob(`${type}x`), 'x.xlsx'],
        ] as const) {
          await saved(source, name).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
        contents?.downloadURL(`${address}/file.exe`);
        await new Promise((resolve) => setTimeout(resolve, 250));
        defaultSession.removeAllListeners('will-download');
        return reported;
      },
      { address: outside, type: workbook },
    );
    expect(outcomes.filter((line) => line.endsWith('let through'))).toEqual([
      'text/csv let through',
      `${workbook} let through`,
    ]);
    expect(outcomes.length).toBeGreaterThanOrEqual(3);
  });

  test('what is saved takes the place of nothing that Tillside keeps, and is called what it is', async () => {
    const dataDirectory = temporaryDirectory();
    const outsideOf = temporaryDirectory();
    const other = await launchElectronForTest([], { dataDirectory });
    await other.page.getByRole('button', { name: 'Practice store' }).waitFor();
    const kept = join(dataDirectory, 'settings.json');
    const before = readFileSync(kept, 'utf8');
    // A person chooses in the system's dialog, whatever name the page proposes.
    const saveAt = (path: string, bytes: number): Promise<string> =>
      other.application.evaluate(
        ({ BrowserWindow, session: { defaultSession } }, given) =>
          new Promise((resolve) => {
            defaultSession.once('will-download', (_event, item) => {
              item.setSavePath(given.path);
              item.once('done', (_done, state) => setTimeout(resolve, 250, state));
            });
            void BrowserWindow.fromId(1)?.webContents.executeJavaScript(`(() => {
              const href = URL.createObjectURL(new Blob(['{"x":"', 'x'.repeat(${given.bytes}), '"}'], { type: 'application/json' }));
              Object.assign(document.createElement('a'), { href, download: 'support.json' }).click();
            })()`);
          }),
        { path, bytes },
      );
    expect(await saveAt(kept, 1)).toBe('cancelled');
    expect(await saveAt(kept, 3_000_000)).toBe('cancelled');
    expect(await saveAt(join(dataDirectory, 'electron', 'new.json'), 1)).toBe('cancelled');
    expect(await saveAt(join(outsideOf, '.profile'), 1)).toBe('cancelled');
    expect(readFileSync(kept, 'utf8')).toBe(before);
    expect(readdirSync(dataDirectory).filter((name) => name.startsWith('settings'))).toEqual(['settings.json']);
    expect(await saveAt(join(outsideOf, 'support.json'), 3_000_000)).toBe('completed');
    expect(await saveAt(join(outsideOf, 'support.json'), 1)).toBe('completed');
    expect(await saveAt(join(outsideOf, 'SUPPORT.JSON'), 1)).toBe('completed');
    expect(readdirSync(outsideOf).toSorted()).toEqual(['SUPPORT.JSON', 'support.json']);
    expect(readFileSync(join(outsideOf, 'support.json'), 'utf8')).toBe('{"x":"x"}');
  });
});
