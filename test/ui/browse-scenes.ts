import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import type { Plugin } from 'vite';
import { languageSchema, themeSchema } from '../../app/contract/basics.ts';
import { openDevServer } from '../../build/dev-server.ts';
import { endWithParent } from '../../build/launch.ts';
import { projectDirectory, stopUnlessWritable } from '../../build/project.ts';
import { findChromium, quietFlags } from '../support/chromium.ts';
import { hostOf } from './fake.ts';
import { installFakeBridge } from './fake-bridge.ts';
import { createSceneHosts, type SceneHost } from './scene-host.ts';
import { scenes } from './scenes.ts';
import { applyLook, themes } from './walk.ts';

stopUnlessWritable();
const { port } = parseArgs({ options: { port: { type: 'string', default: '5174' } } }).values;

const options = (given: readonly (readonly [value: string, words: string])[]): string =>
  given.map(([value, words]) => `<option value="${value}">${words}</option>`).join('');
const list = `<!doctype html>
<meta charset="utf-8"><title>Scenes of Tillside</title>
<style>
  body { margin: 0; display: grid; grid-template-columns: 17rem 1fr; height: 100vh; font: 15px system-ui }
  form { overflow: auto; padding: 12px; display: grid; gap: 8px; align-content: start }
  select[name=scene] { height: 60vh } iframe { border: 1px solid gray; background: white } div { overflow: auto }
</style>
<form>
  <select name="scene" aria-label="Scene" size="20">${options(scenes.map(({ name, steps }) => [name, steps === undefined ? name : `${name} *`]))}</select>
  <label>Language <select name="language">${options(languageSchema.options.map((one) => [one, one]))}</select></label>
  <label>Theme <select name="theme">${options(themes.map((one) => [one, one]))}</select></label>
  <label>Size <select name="size">${options(['1366x768', '1024x768', '640x900', '400x300'].map((one) => [one, one]))}</select></label>
  <label>Letters <select name="letters">${options(['100', '150', '200'].map((one) => [one, `${one}%`]))}</select></label>
  <small id="note">In this browser a scene marked with * shows its starting state. The window that npm run scenes opens, where there is a Chromium and a display, takes the steps.</small>
</form>
<div><iframe title="The scene"></iframe></div>
<script>
  const form = document.querySelector('form'), frame = document.querySelector('iframe');
  const show = () => {
    const chosen = new URLSearchParams(new FormData(form));
    if (window.showScene) { note.textContent = 'The scene is in the other window.'; frame.hidden = true; window.showScene('' + chosen); return; }
    [frame.width, frame.height] = chosen.get('size').split('x');
    frame.src = 'scene?' + chosen;
  };
  form.scene.selectedIndex = 0; form.addEventListener('change', show); show();
</script>`;

const hosts = createSceneHosts((words) => process.stderr.write(`${words}\n`));
let newestHost: SceneHost | null = null;

/** Runs in the page, which posts its calls and hears the messages of its host as server-sent events. */
const askOverHttp = `
  new EventSource('/host/').onmessage = ({ data }) => hearHost(JSON.parse(data));
  askHost = (body) => fetch('/host/', { method: 'POST', body });`;
/** The newest page, once it listens. */
let listening = Promise.withResolvers<ServerResponse>();

/** Takes a page's call, or listens to it. */
function answerPage(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'POST') {
    const { promise } = listening;
    response.writeHead(204).end();
    void readText(request).then((call) =>
      hosts.ask(call, async (message) => (await promise).write(`data: ${JSON.stringify(message)}\n\n`)),
    );
  } else {
    listening.resolve(response.writeHead(200, { 'content-type': 'text/event-stream' }));
  }
}

/** Puts the scene that the address names into the page, at the scene's own moment. */
const showScene: Plugin = {
  name: 'show-scene',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/host/') {
        answerPage(request, response);
        return;
      }
      if (pathname === '/') {
        response.setHeader('content-type', 'text/html').end(list);
        return;
      }
      if (pathname === '/scene') {
        const path = scenes.find(({ name }) => name === searchParams.get('scene'))?.path ?? 'index.html';
        request.url = `/${path}?${searchParams}`;
        request.originalUrl = request.url;
      }
      next();
    });
  },
  transformIndexHtml: (_html, { originalUrl = '' }) => {
    const asked = new URL(originalUrl, 'http://localhost').searchParams;
    const scene = scenes.find(({ name }) => name === asked.get('scene'))?.scene;
    if (scene === undefined) {
      return [];
    }
    const { nowMs } = scene;
    const state = {
      ...scene.state,
      language: languageSchema.parse(asked.get('language')),
      theme: themeSchema.parse(asked.get('theme')),
    };
    newestHost = hosts.add({ ...scene, state }, true);
    listening = Promise.withResolvers();
    const clock = `Date = class extends Date { constructor(...parts) { super(...(parts.length ? parts : [${nowMs}])) } static now() { return ${nowMs} } };`;
    return [
      {
        tag: 'script',
        children: `${clock}${askOverHttp}(${installFakeBridge.toString()})('${newestHost.key}')`,
        injectTo: 'head-prepend',
      },
      { tag: 'style', children: `html { font-size: ${Number(asked.get('letters'))}% !important }`, injectTo: 'head' },
    ];
  },
};

/** Opens one scene in a window, takes its steps, and then leaves the window to whoever looks at it. */
async function playScene(page: Page, home: string, query: string): Promise<void> {
  const chosen = new URLSearchParams(query);
  const language = languageSchema.parse(chosen.get('language'));
  const theme = themes.find((one) => one === chosen.get('theme')) ?? 'light';
  const [width = 1366, height = 768] = (chosen.get('size') ?? '').split('x').map(Number);
  await page.setViewportSize({ width, height });
  // The steps look for English names.
  chosen.set('language', 'en');
  await page.goto(`${home}scene?${chosen}`);
  if (newestHost !== null) {
    hostOf.set(page, newestHost);
  }
  await page.locator('main').waitFor();
  await scenes.find(({ name }) => name === chosen.get('scene'))?.steps?.(page);
  await applyLook(page, { theme, language });
}

/** Opens the list and a second window beside it, in which the chosen scene is played. */
async function openWindows(executablePath: string, home: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, headless: false, args: quietFlags() });
  const chooser = await browser.newPage({ viewport: null });
  const scene = await browser.newPage({ timezoneId: 'America/Sao_Paulo' });
  chooser.once('close', () => process.exit());
  let newest = '';
  let playing = Promise.resolve();
  await chooser.exposeFunction('showScene', (query: string) => {
    newest = query;
    // One after another, and none that somebody has already left behind.
    playing = playing
      .then(() => (query === newest ? playScene(scene, home, query) : undefined))
      .catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
      });
  });
  await chooser.goto(home);
}

endWithParent();
const server = await openDevServer(projectDirectory, Number(port), null, [showScene]);
const home = server.resolvedUrls?.local[0] ?? '';
process.stdout.write(`The scenes are at ${home}\n`);
const executablePath = findChromium(true);
const hasDisplay = process.platform !== 'linux' || 'DISPLAY' in process.env || 'WAYLAND_DISPLAY' in process.env;
if (executablePath !== null && hasDisplay) {
  await openWindows(executablePath, home);
}
