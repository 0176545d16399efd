import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { MANIFEST, type Manifest, WEB_DIRECTORIES } from './assets.ts';
import { isOutdated } from './build-pages.ts';
import { buildWeb } from './build-web.ts';

/** The files of the console with gzip. */
const MAX_CONSOLE_BYTES = 90 * 1024;
const MAX_REFERENCE_BYTES = 60 * 1024;
const MAX_SEARCH_BYTES = 40 * 1024;
const MAX_FONT_BYTES = 60 * 1024;

async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-web-'));
  context.after(() => rm(directory, { recursive: true }));
  return directory;
}

describe('the bundles of the pages', () => {
  test('bundles are written once each, compressed in two ways, with at most 90 KB for the console, 60 KB for the reference, 40 KB for the search and 60 KB for fonts; those of the build before are kept for processes that serve them, and earlier ones are deleted', async (context) => {
    const bundles = await temporaryDirectory(context);
    const directories = { ...WEB_DIRECTORIES, bundles };
    const earlier = ['console-BEFORE.js', 'console-BEFORE.js.gz'];
    for (const file of [...earlier, 'console-OLDER.js']) await writeFile(join(bundles, file), '');
    await writeFile(join(bundles, MANIFEST), JSON.stringify({ entries: {}, files: earlier.slice(0, 1) }));
    await buildWeb(directories);
    const manifest: Manifest = JSON.parse(await readFile(join(bundles, MANIFEST), 'utf8'));
    assert.deepEqual(Object.keys(manifest.entries).sort(), [
      'account',
      'console',
      'documents',
      'embed',
      'favicon',
      'form',
      'reference',
      'search',
      'style',
      'theme',
    ]);
    const compressedBytes = new Map<string, number>();
    for (const file of manifest.files) {
      // Compressed in itself.
      if (file.endsWith('.woff2')) continue;
      const [plain, br, gz] = await Promise.all(
        ['', '.br', '.gz'].map((end) => readFile(join(bundles, file + end))),
      );
      assert.deepEqual([brotliDecompressSync(br!), gunzipSync(gz!)], [plain, plain]);
      compressedBytes.set(file, gz!.length);
    }
    const count = (entries: string[]) => {
      const files = entries.flatMap((entry) => Object.values({ ...manifest.entries[entry] }).flat());
      return files.reduce((sum, file) => sum + (compressedBytes.get(file) ?? 0), 0);
    };
    const consoleBytes = count(['console', 'style', 'theme', 'favicon']);
    assert.ok(consoleBytes <= MAX_CONSOLE_BYTES, `the console takes ${consoleBytes} bytes`);
    const referenceBytes = count(['reference', 'style', 'theme', 'favicon']);
    assert.ok(referenceBytes <= MAX_REFERENCE_BYTES, `the reference takes ${referenceBytes} bytes`);
    const searchBytes = count(['search']);
    assert.ok(searchBytes <= MAX_SEARCH_BYTES, `the index of the search takes ${searchBytes} bytes`);
    const fonts = manifest.entries.style!.fonts;
    const sizes = await Promise.all(fonts.map(async (file) => (await stat(join(bundles, file))).size));
    assert.equal(sizes.length, 2, 'one for all texts, one for further letters');
    assert.ok(sizes.reduce((sum, size) => sum + size) <= MAX_FONT_BYTES, `the fonts take ${sizes} bytes`);
    const found = await readdir(bundles);
    assert.deepEqual(found.filter((file) => /BEFORE|OLDER/.test(file)).sort(), earlier);
    // What the next build deletes is no file of this one.
    assert.deepEqual(
      manifest.files.filter((file) => earlier.includes(file)),
      [],
    );
  });

  test('bundles are outdated without a manifest, and when a source in or outside of web, other than a test or generated types, is newer', async (context) => {
    const directory = await temporaryDirectory(context);
    const directories = { sources: join(directory, 'web'), bundles: join(directory, 'dist') };
    const source = join(directories.sources, 'console', 'main.tsx');
    const others = ['main.test.ts', 'client.d.ts'].map((name) => join(directories.sources, 'console', name));
    await mkdir(join(directories.sources, 'console'), { recursive: true });
    await mkdir(directories.bundles);
    for (const path of [source, ...others]) await writeFile(path, '');
    assert.equal(isOutdated(directories), true);
    await writeFile(join(directories.bundles, MANIFEST), '{}');
    assert.equal(isOutdated(directories), false);
    const later = new Date(Date.now() + 60_000);
    for (const path of others) await utimes(path, later, later);
    assert.equal(isOutdated(directories), false);
    const shared = join(directory, 'src', 'texts.ts');
    await writeFile(join(directories.bundles, MANIFEST), '{"shared":["../src/texts.ts"]}');
    await mkdir(join(directory, 'src'));
    await writeFile(shared, '');
    const earlier = new Date(Date.now() - 60_000);
    await utimes(shared, earlier, earlier);
    assert.equal(isOutdated(directories), false);
    await utimes(shared, later, later);
    assert.equal(isOutdated(directories), true);
    await utimes(shared, earlier, earlier);
    await utimes(source, later, later);
    assert.equal(isOutdated(directories), true);
  });
});
