/** Pictures of pages, compared with stored ones. `UPDATE_PICTURES=1` stores them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import sharp from 'sharp';

/** Pixels that may differ: rounding of the edges of a few letters. */
const MAX_DIFFERENT = 60;
/** By width: a phone shows less at a time. */
const MAX_HEIGHTS = { 390: 1_200, 1280: 900 } as const;

/** What differs from run to run, with the text that is shown instead. */
const VARYING: readonly (readonly [string, string])[] = [
  ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '019aa1b2-0000-7000-8000-000000000000'],
  ['127\\.0\\.0\\.1:\\d+', '127.0.0.1:3000'],
  ['\\b\\d[\\d,]* (Mi?B)', '90 $1'],
  ['differs by \\d+ s', 'differs by 90 s'],
  ['fd_(?:pat|svc|app)_[\\w-]+', 'fd_pat_abcde'],
  ['(?:/dev/shm|/tmp)/[\\w./-]+', '/data/frontdesk'],
  ['whsec_[\\w+/=]+', 'whsec_abcdef'],
];

export interface PictureOptions {
  readonly width: keyof typeof MAX_HEIGHTS;
  /** The stored picture. */
  readonly file: string;
}

/** Compares the page with the stored picture, up to a height. @throws AssertionError */
export async function comparePicture(page: Page, { width, file }: PictureOptions): Promise<void> {
  // Parts that are loading have another height.
  await page.locator('[aria-busy=true]:not(button)').first().waitFor({ state: 'detached' });
  await page.evaluate(replaceTexts, VARYING);
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  // As a large window, so that what floats is at its edges.
  const height = Math.min(MAX_HEIGHTS[width], Math.max(full, 800));
  await page.setViewportSize({ width, height });
  await page.evaluate(waitForTop);
  // No picture of what the mouse happens to be on.
  await page.mouse.move(0, 0);
  const taken = PNG.sync.read(await page.screenshot({ caret: 'hide' }));
  if (process.env.UPDATE_PICTURES === '1') return store(taken, file);
  assert.ok(existsSync(file), `${file} is missing: run with UPDATE_PICTURES=1`);
  const stored = PNG.sync.read(readFileSync(file));
  assert.deepEqual([taken.width, taken.height], [stored.width, stored.height], `size of ${file}`);
  const count = pixelmatch(stored.data, taken.data, undefined, width, height, { threshold: 0.15 });
  assert.ok(count <= MAX_DIFFERENT, `${count} pixels differ from ${file}`);
}

/** With a palette, which makes the file a third as large. */
async function store(picture: PNG, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await sharp(PNG.sync.write(picture)).png({ palette: true, colours: 96, dither: 0, effort: 8 }).toFile(file);
}

/** Runs in the page. Keeps the ranges of the texts, by which code is coloured. */
function replaceTexts(varying: readonly (readonly [string, string])[]): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null)
    for (const [pattern, shown] of varying)
      for (const { 0: found, index } of [...node.data.matchAll(new RegExp(pattern, 'g'))].reverse())
        node.replaceData(index, found.length, found.replace(new RegExp(pattern), shown));
}

/** Runs in the page: waits until it has been at its top for two frames. Browsers scroll to the focus after a new size. */
async function waitForTop(): Promise<void> {
  await document.fonts.ready;
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let frames = 0; frames < 2; frames = scrollY > 0 ? 0 : frames + 1) {
    scrollTo({ top: 0, behavior: 'instant' });
    await nextFrame();
  }
}
