/** What a person does with the pages of a service, in any browser. */
import { openBrowser } from './browser.ts';
import { tabTo } from './keyboard.ts';

export interface PersonPage {
  open(url: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  /** Clicks so often before the first click has an effect. */
  click(selector: string, times: number): Promise<void>;
  /** Moves the focus by keyboard, and presses Enter so often before it has an effect. */
  pressEnter(selector: string, times: number): Promise<void>;
  reload(): Promise<void>;
  goBack(): Promise<void>;
  /** Returns the text of the first heading; empty while there is none. */
  readHeading(): Promise<string>;
}

export interface PersonBrowser {
  /** Opens a page without cookies. */
  newPage(): Promise<PersonPage>;
  close(): Promise<void>;
}

/** More than a page has elements. */
export const MAX_PRESSES = 60;

/** Opens the Chromium of the process. */
export async function startChromium(javaScriptEnabled: boolean): Promise<PersonBrowser> {
  const browser = await openBrowser();
  const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = [];
  return {
    async newPage() {
      const context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled });
      contexts.push(context);
      const page = await context.newPage();
      const heading = page.locator('h1');
      return {
        open: async (url) => void (await page.goto(url)),
        fill: (selector, text) => page.locator(selector).fill(text),
        click: (selector, times) => page.locator(selector).click({ clickCount: times, noWaitAfter: true }),
        async pressEnter(selector, times) {
          await tabTo(page, selector, MAX_PRESSES);
          await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Enter')));
        },
        reload: async () => void (await page.reload()),
        goBack: async () => void (await page.goBack()),
        readHeading: async () => ((await heading.count()) === 0 ? '' : heading.innerText()),
      };
    },
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  };
}
