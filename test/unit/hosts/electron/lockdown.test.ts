// The proof, without Electron, of what a page cannot ask for there: devices have no way to be asked for in a test's
// page.
import type { DevicePermissionHandlerHandlerDetails, ProxyConfig, Session } from 'electron';
import { expect, test } from 'vitest';
import { isOwnPanel, lockSession } from '../../../../app/hosts/electron/lockdown.ts';

type DeviceHandler = (details: DevicePermissionHandlerHandlerDetails) => boolean;
type Answer = (isGranted: boolean) => void;

/** A locked session's handlers, as it registered them. */
function locked() {
  const handlers: {
    device?: DeviceHandler;
    check?: () => boolean;
    request?: (contents: null, permission: string, answer: Answer) => void;
    proxy?: ProxyConfig;
  } = {};
  const session = {
    setDevicePermissionHandler: (handler: DeviceHandler) => (handlers.device = handler),
    setPermissionCheckHandler: (handler: () => boolean) => (handlers.check = handler),
    setPermissionRequestHandler: (handler: NonNullable<typeof handlers.request>) => (handlers.request = handler),
    on: () => session,
    webRequest: { onBeforeRequest: () => undefined },
    setProxy: (proxy: ProxyConfig) => {
      handlers.proxy = proxy;
      return Promise.resolve();
    },
  };
  void lockSession(session as unknown as Session, true);
  return handlers;
}

test.each(['hid', 'usb', 'serial'] as const)('no page is given a device, by %s', (deviceType) => {
  const details = {
    deviceType,
    origin: 'app://tillside',
    device: { deviceId: '1' },
  } as unknown as DevicePermissionHandlerHandlerDetails;
  expect(locked().device?.(details)).toBe(false);
});

test('no page is given a permission, whether it is asked for or looked up', () => {
  const answers: boolean[] = [];
  const handlers = locked();
  handlers.request?.(null, 'media', (isGranted) => answers.push(isGranted));
  expect([handlers.check?.(), ...answers]).toEqual([false, false]);
});

test('what a page sends past its policy goes to a proxy that nothing can be, this machine included', () => {
  expect(locked().proxy).toEqual({
    mode: 'fixed_servers',
    proxyRules: '255.255.255.255:1',
    proxyBypassRules: '<-loopback>',
  });
});

test.each([
  ['http://127.0.0.1:9/', true],
  ['http://127.0.0.1:9/panel?token=x', true],
  ['https://127.0.0.1:9/', false],
  ['http://127.0.0.1.example/', false],
  ['http://127.0.0.1@evil.example/', false],
  ['http://user@127.0.0.1:9/', false],
  ['http://:word@127.0.0.1:9/', false],
  ['http://127.0.0.2:9/', false],
  ['http://evil.example/127.0.0.1', false],
  ['file:///127.0.0.1/etc/passwd', false],
  ['file://127.0.0.1/share/program', false],
  ['javascript:alert(1)', false],
  ['127.0.0.1:9', false],
  ['', false],
])("the system's browser may be sent to %j: %j", (address, isAllowed) => {
  expect(isOwnPanel(address)).toBe(isAllowed);
});
