/** Firefox, as Debian packages it, over WebDriver BiDi (W3C): what a person does with a page. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until.ts';
import { MAX_PRESSES, type PersonBrowser, type PersonPage } from './person-pages.ts';

const PROGRAM = 'firefox-esr';
export const hasFirefox = spawnSync(PROGRAM, ['--version']).status === 0;

/** The members of results that are read here. */
interface Result {
  readonly userContext: string;
  readonly context: string;
  readonly nodes: readonly DomNode[];
}
type Send = (method: string, params?: object) => Promise<Result>;

export async function startFirefox(hasJavaScript: boolean): Promise<PersonBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'frontdesk-firefox-'));
  writeFileSync(join(profile, 'user.js'), `user_pref('javascript.enabled', ${hasJavaScript});\n`);
  const child = spawn(PROGRAM, ['--headless', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const send = await openSession(await findUrl(child));
  return {
    async newPage() {
      const { userContext } = await send('browser.createUserContext');
      const { context } = await send('browsingContext.create', { type: 'tab', userContext });
      return createPage(send, context);
    },
    async close() {
      const closed = new Promise((resolve) => child.on('close', resolve));
      await send('browser.close');
      await closed;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function findUrl({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const url = /WebDriver BiDi listening on (\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Returns the function that sends a command and returns its result. */
async function openSession(url: string): Promise<Send> {
  const socket = new WebSocket(`${url}/session`);
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(data);
    if (type === 'success') waiting.get(id)?.resolve(result);
    if (type === 'error') waiting.get(id)?.reject(new Error(`${error}: ${message}`));
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  let count = 0;
  const send: Send = (method, params = {}) => {
    const answer = Promise.withResolvers<Result>();
    waiting.set(++count, answer);
    socket.send(JSON.stringify({ id: count, method, params }));
    return answer.promise;
  };
  await send('session.new', { capabilities: {} });
  return send;
}

const [TAB, ENTER] = ['\uE004', '\uE007'];
const toKeys = (text: string) =>
  [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
const CLICK = [
  { type: 'pointerDown', button: 0 },
  { type: 'pointerUp', button: 0 },
];

interface DomNode {
  readonly sharedId: string;
  readonly value: { readonly nodeValue?: string; readonly children?: readonly DomNode[] };
}

function createPage(send: Send, context: string): PersonPage {
  const find = async (value: string): Promise<DomNode | undefined> => {
    const locator = { type: 'css', value };
    const serializationOptions = { maxDomDepth: 3 };
    const { nodes } = await send('browsingContext.locateNodes', { context, locator, serializationOptions });
    return nodes[0];
  };
  // While a document replaces another one, there is none.
  const findHeading = () => find('h1').catch(() => undefined);
  const act = async (source: object) =>
    void (await send('input.performActions', { context, actions: [source] }));
  const type = (text: string) => act({ type: 'key', id: 'keys', actions: toKeys(text) });
  const click = async (selector: string, times: number) => {
    const { sharedId } = (await find(selector))!;
    const move = { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } };
    const actions = [move, ...Array.from({ length: times }, () => CLICK).flat()];
    await act({ type: 'pointer', id: 'mouse', actions });
  };
  return {
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async fill(selector, text) {
      await click(selector, 3);
      await type(text);
    },
    click,
    async pressEnter(selector, times) {
      for (let presses = 0; (await find(`${selector}:focus`)) === undefined; presses++) {
        assert.ok(presses < MAX_PRESSES, `the keyboard does not reach ${selector}`);
        await type(TAB);
      }
      await type(ENTER.repeat(times));
    },
    reload: async () => void (await send('browsingContext.reload', { context, wait: 'complete' })),
    async goBack() {
      const left = (await findHeading())?.sharedId;
      await send('browsingContext.traverseHistory', { context, delta: -1 });
      await until(
        async () => ![undefined, left].includes((await findHeading())?.sharedId),
        'the page before',
      );
    },
    async readHeading() {
      const heading = await findHeading();
      return heading === undefined ? '' : readText(heading);
    },
  };
}

const readText = ({ value: { nodeValue = '', children = [] } }: DomNode): string =>
  nodeValue + children.map(readText).join('');
