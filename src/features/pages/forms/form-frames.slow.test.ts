import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/browser.ts';
import { listSubmissions, publishPage } from '../../../../test/support/form-pages.ts';
import { useService } from '../../../../test/support/service.ts';
import { until } from '../../../../test/support/until.ts';
import { DECOY_NAME } from '../../forms/answers/page-answers.ts';

const STORED = '?held=include';
const WIDTHS = [320, 1280];

/** Checks that people do not come across the decoy field of the form that a page or frame shows. */
async function checkDecoy(page: Page, frame: Frame): Promise<void> {
  const decoy = frame.locator(`[name="${DECOY_NAME}"]`);
  assert.doesNotMatch(await frame.locator('body').ariaSnapshot(), /Leave this field empty/);
  const reached = await decoy.evaluate((element: HTMLElement) => {
    const { top, left, width, height } = element.getBoundingClientRect();
    const points = [0.02, 0.25, 0.5, 0.75, 0.98].flatMap((x) =>
      [0.1, 0.5, 0.9].map((y) => [left + x * width, top + y * height] as const),
    );
    const isFound = points.some(([x, y]) => document.elementsFromPoint(x, y).includes(element));
    return { isFound, tabIndex: element.tabIndex };
  });
  assert.deepEqual(reached, { isFound: false, tabIndex: -1 });
  const options = { fullPage: true, caret: 'hide', animations: 'disabled' } as const;
  const measure = () => frame.evaluate(() => [document.body.scrollWidth, document.body.scrollHeight]);
  const [size, picture] = [await measure(), await page.screenshot(options)];
  await decoy.evaluate((element) => element.closest('div')!.remove());
  assert.deepEqual(await measure(), size);
  assert.ok(picture.equals(await page.screenshot(options)), 'the page looks the same without the decoy');
}

describe('forms in pages and frames', () => {
  const service = useService('sqlite');

  for (const width of WIDTHS)
    test(`the decoy field of a form takes no visible area at ${width} pixels, and neither keyboard nor screen reader reaches it`, async (context) => {
      const form = await publishPage(service);
      const page = await (await openBrowser()).newPage({ viewport: { width, height: 800 } });
      context.after(() => page.close());
      await page.goto(service.api.url + form.page);
      await checkDecoy(page, page.mainFrame());
    });

  /** Starts a server of an origin of its own, and returns its URL. */
  async function startHost(context: TestContext, getBody: () => string): Promise<string> {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Host</title>${getBody()}`),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    context.after(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('a frame at an allowed origin is as high as its form, before and after it was sent; at other origins it shows nothing and tells nothing', async (context) => {
    let body = '';
    const [allowed, foreign] = [await startHost(context, () => body), await startHost(context, () => body)];
    const form = await publishPage(service, { allowed_origins: [allowed] });
    body = `<iframe src="${service.api.url}${form.page}?embed=1" title="Form" style="border:0;width:100%;height:50px"></iframe>
      <script src="${service.api.url}/embed.js" async></script>
      <script>messages = []; addEventListener('message', ({ data }) => messages.push(data))</script>`;
    const session = await (await openBrowser()).newContext();
    context.after(() => session.close());
    const page = await session.newPage();
    await page.goto(allowed);
    const frame = page.frameLocator('iframe');
    const readHeight = (element: HTMLElement) => element.offsetHeight;
    /** Waits until the frame has the height of its content, which is another one when fonts or a new width are there. */
    const waitForHeight = async () => {
      let height = 0;
      await until(async () => {
        height = await frame.locator('body').evaluate(readHeight);
        return (await page.locator('iframe').evaluate(readHeight)) === height;
      }, 'the frame has the height of its content');
      return height;
    };
    const height = await waitForHeight();
    assert.ok(height > 500, String(height));
    await frame.getByRole('button').click();
    await frame.locator('.notice').waitFor();
    assert.ok((await waitForHeight()) > height);
    await page.setViewportSize({ width: 320, height: 800 });
    assert.ok((await waitForHeight()) > height);
    await frame.getByLabel('Full name').fill('Ada');
    await frame.getByLabel('People').fill('1');
    await frame.getByLabel('Early').check();
    await frame.getByLabel('I accept').check();
    await frame.getByRole('button').click();
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.ok((await waitForHeight()) < height);
    assert.equal((await listSubmissions(service, form.api, STORED)).length, 1);

    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(foreign);
    await page.waitForFunction(() => document.querySelector('iframe')!.contentWindow!.length === 0);
    await until(() => refused.some((text) => /frame-ancestors/.test(text)), 'the browser refuses the frame');
    assert.equal(await page.locator('iframe').evaluate(readHeight), 50);
  });

  test('errors and thanks of a form in a frame are brought into view on a phone, and a form that is loaded is not', async (context) => {
    let body = '';
    const host = await startHost(context, () => body);
    const form = await publishPage(service, { allowed_origins: [host] });
    body = `<p style="height:2000px">Before</p>
      <iframe src="${service.api.url}${form.page}?embed=1" title="Form" style="border:0;width:100%"></iframe>
      <p style="height:2000px">After</p><script src="${service.api.url}/embed.js" async></script>`;
    const page = await (await openBrowser()).newPage({ viewport: { width: 320, height: 560 } });
    context.after(() => page.close());
    await page.goto(host);
    const frame = page.frameLocator('iframe');
    await page.waitForFunction(() => document.querySelector('iframe')!.offsetHeight > 700);
    assert.equal(await page.evaluate(() => scrollY), 0);
    /** Presses the button at the end of the form, and waits until the top of what follows is in view. */
    const sendForm = async (selector: string) => {
      const top = await page.evaluate(() => {
        const { offsetTop, offsetHeight } = document.querySelector('iframe')!;
        scrollTo(0, offsetTop + offsetHeight - innerHeight);
        return document.querySelector('iframe')!.getBoundingClientRect().top;
      });
      assert.ok(top < -100, String(top));
      await frame.getByRole('button').click();
      await frame.locator(selector).waitFor();
      await page.waitForFunction(() => {
        const { top } = document.querySelector('iframe')!.getBoundingClientRect();
        return top >= 0 && top < 100;
      });
      const { y, height } = (await frame.locator(selector).boundingBox())!;
      assert.ok(y >= 0 && y + height <= 560, `${selector} is at ${y}`);
    };
    await sendForm('.notice');
    assert.ok(await frame.locator('.notice').evaluate((notice) => notice === document.activeElement));
    await frame.getByLabel('Full name').fill('Ada');
    await frame.getByLabel('People').fill('1');
    await frame.getByLabel('Early').check();
    await frame.getByLabel('I accept').check();
    await sendForm('h1:text("Thank you")');
  });

  test('the decoy field of a form takes no visible area in a frame of 320 pixels', async (context) => {
    let body = '';
    const host = await startHost(context, () => body);
    const form = await publishPage(service, { allowed_origins: [host] });
    body = `<iframe src="${service.api.url}${form.page}?embed=1" width="320" height="1600"></iframe>`;
    const page = await (await openBrowser()).newPage();
    context.after(() => page.close());
    await page.goto(host);
    await checkDecoy(page, page.frames()[1]!);
  });

  test('a page with frames ignores messages of other origins, and a form answers pages of allowed origins only', async (context) => {
    let body = '';
    const host = await startHost(context, () => body);
    const other = await startHost(
      context,
      () => `<script>parent.postMessage({ 'frontdesk:height': 5 }, '*')</script>`,
    );
    const form = await publishPage(service, { allowed_origins: [host] });
    const page = await (await openBrowser()).newPage();
    context.after(() => page.close());
    body = `<iframe src="${other}"></iframe><iframe src="${service.api.url}${form.page}?embed=1"></iframe>
      <script src="${service.api.url}/embed.js"></script>`;
    await page.goto(host);
    await page.waitForFunction(() => document.querySelectorAll('iframe')[1]!.style.height !== '');
    assert.equal(await page.evaluate(() => document.querySelectorAll('iframe')[0]!.style.height), '');
    // Opened by itself, the form is its own parent, of an origin that is not allowed.
    await page.goto(`${service.api.url}${form.page}?embed=1`);
    const received = await page.evaluate(async () => {
      const messages: unknown[] = [];
      const last = Promise.withResolvers<void>();
      addEventListener('message', ({ data }) => {
        messages.push(data);
        if (data === 'frontdesk:height') postMessage('last');
        if (data === 'last') last.resolve();
      });
      postMessage('frontdesk:height');
      await last.promise;
      return messages;
    });
    assert.deepEqual(received, ['frontdesk:height', 'last']);
  });
});
