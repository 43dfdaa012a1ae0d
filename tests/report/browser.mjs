// Headless Chromium over the DevTools protocol, through pipes: no package is needed for it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function launch(program) {
  const profile = mkdtempSync(join(tmpdir(), 'pgfsm-chromium.'));
  const child = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--hide-scrollbars', '--force-device-scale-factor=1', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: profile } });
  const waiting = new Map();
  const listeners = [];
  let next = 1;
  let rest = '';
  const gone = new Promise(resolve => child.once('exit', resolve));
  child.once('exit', () => waiting.forEach(({ reject }) => reject(new Error('Chromium ended'))));
  child.stdio[4].setEncoding('utf8').on('data', data => {
    const parts = (rest + data).split('\0');
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      const caller = waiting.get(message.id);
      waiting.delete(message.id);
      if (!caller) listeners.forEach(listen => listen(message));
      else if (message.error) caller.reject(new Error(message.error.message));
      else caller.resolve(message.result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    const id = next++;
    waiting.set(id, { resolve, reject });
    child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
  });

  /* A page that says what it asked for and what it complained of. */
  async function open(url, { width, height, dark = false, mobile = false }) {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const page = { requests: [], complaints: [], call };
    let loaded;
    const load = new Promise(resolve => { loaded = resolve; });
    listeners.push(message => {
      if (message.sessionId !== sessionId) return;
      const { method, params } = message;
      if (method === 'Network.requestWillBeSent') page.requests.push(params.request.url);
      if (method === 'Runtime.exceptionThrown') page.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (method === 'Runtime.consoleAPICalled') page.complaints.push(params.args.map(a => a.value).join(' '));
      if (method === 'Log.entryAdded') page.complaints.push(params.entry.text);
      if (method === 'Page.loadEventFired') loaded();
    });
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await call(`${domain}.enable`);
    await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
    await call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    await call('Page.navigate', { url });
    await load;
    page.run = async expression => {
      const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
    page.press = async (key, code, text) => {
      for (const type of ['keyDown', 'keyUp']) await call('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: code, ...(text && type === 'keyDown' ? { text } : {}) });
    };
    page.picture = async (whole = false) => Buffer.from((await call('Page.captureScreenshot', { captureBeyondViewport: whole })).data, 'base64');
    page.close = () => send('Target.closeTarget', { targetId });
    return page;
  }
  async function close() {
    await Promise.race([send('Browser.close').catch(() => {}), gone]);
    await gone;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  return { open, close };
}
