import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { openPictureBrowser } from '../support/browser/browser.ts';
import { checkAccessibility, NARROW, signInBrowser } from '../support/browser/console.ts';
import { NOW, type PictureService, startPictureService } from '../support/browser/picture-service.ts';
import { comparePicture } from '../support/browser/pictures.ts';
import { STATES } from './states.ts';

/** Each colour scheme and each width once: colours do not depend on the width. */
const APPEARANCES = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

describe('pictures of the pages', () => {
  let shown: PictureService;
  before(async () => {
    shown = await startPictureService();
  });
  after(() => shown.service.stop());

  const openContext = async (
    options: (typeof APPEARANCES)[number],
    isSignedIn: boolean,
  ): Promise<BrowserContext> => {
    const browser = await openPictureBrowser();
    const context = await browser.newContext({
      ...options,
      baseURL: shown.service.service.url,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      locale: 'en-US',
    });
    if (isSignedIn) await signInBrowser(context, shown.service);
    await context.clock.setFixedTime(NOW);
    return context;
  };

  for (const appearance of APPEARANCES) {
    const { colorScheme, viewport } = appearance;
    test(`all pages are accessible and as in the stored pictures, in ${colorScheme} colours, ${viewport.width} pixels wide`, async (t) => {
      const contexts = { in: await openContext(appearance, true), out: await openContext(appearance, false) };
      for (const [name, state] of Object.entries(STATES)) {
        await t.test(
          `the page ${name} is accessible and as in its picture, in ${colorScheme} colours, ${viewport.width} pixels wide`,
          async () => {
            const page = await contexts[state.isSignedOut ? 'out' : 'in'].newPage();
            await page.goto(state.getPath(shown));
            await state.open?.(page);
            const file = join(import.meta.dirname, `${colorScheme}-${viewport.width}`, `${name}.png`);
            await comparePicture(page, { width: viewport.width, file });
            if (viewport.width === 390) await page.setViewportSize(NARROW);
            await checkAccessibility(page);
            await page.close();
          },
        );
      }
      for (const context of Object.values(contexts)) await context.close();
    });
  }
});
