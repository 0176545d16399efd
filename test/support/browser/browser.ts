/** Headless Chromium for tests of the pages, from two npm packages: nothing has to be installed on the machine. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { MAX_WAIT_MS } from '../until.ts';

const projectDirectory = join(import.meta.dirname, '..', '..', '..');
const cacheDirectory = join(projectDirectory, 'node_modules', '.cache');
const FONTS_FILE = 'fonts.conf';
const PACKAGED_FONTS_FILE = 'packaged-fonts.conf';

/** A name of the machine that is not loopback for the browser: over plain HTTP, its pages are not secure. */
export const OTHER_HOST = 'frontdesk.test';

/** One browser for the whole process. */
let opened: Promise<Browser> | undefined;
after(async () => (await opened)?.close());

/** Returns the browser of this process, which closes after its tests. Callers close their own contexts. */
export function openBrowser(): Promise<Browser> {
  opened ??= launchBrowser();
  return opened;
}

/** Returns the browser of this process with the packaged fonts only: text has the same pixels on other machines. */
export function openPictureBrowser(): Promise<Browser> {
  opened ??= launchBrowser(PACKAGED_FONTS_FILE);
  return opened;
}

/** Starts Chromium, also as root. */
async function launchBrowser(fontsFile = FONTS_FILE): Promise<Browser> {
  const directory = await unpackedBrowser();
  await writeFile(join(directory, PACKAGED_FONTS_FILE), fontConfiguration(directory, []));
  const browser = await chromium.launch({
    executablePath: join(directory, 'chromium'),
    // The flags that @sparticuz/chromium proposes also switch the same-origin policy off, which the tests need.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      `--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`,
    ],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: [join(directory, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
        .filter(Boolean)
        .join(':'),
      FONTCONFIG_FILE: join(directory, fontsFile),
    },
  });
  return browser.on('context', (context) => context.setDefaultTimeout(MAX_WAIT_MS));
}

/** Unpacks the package once per version. The final rename is atomic for test files that run in parallel. */
async function unpackedBrowser(): Promise<string> {
  const packagePath = join(projectDirectory, 'node_modules', '@sparticuz', 'chromium', 'package.json');
  const { default: manifest } = await import(packagePath, { with: { type: 'json' } });
  const directory = join(cacheDirectory, `chromium-${manifest.version}`);
  if (await isComplete(directory)) return directory;
  await mkdir(cacheDirectory, { recursive: true });
  const unfinished = await mkdtemp(`${directory}-`);
  try {
    await unpackInto(unfinished);
    await writeFile(join(unfinished, FONTS_FILE), fontConfiguration(directory));
    if (!(await isComplete(directory))) await rm(directory, { recursive: true, force: true });
    await rename(unfinished, directory);
  } catch (error) {
    if (!(await isComplete(directory))) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return directory;
}

/**
 * Whether the browser was unpacked here completely: the file with the fonts is written last, and names the directory.
 * A copy of another project's directory, which may be incomplete, names that one.
 */
async function isComplete(directory: string): Promise<boolean> {
  const fonts = await readFile(join(directory, FONTS_FILE), 'utf8').catch(() => '');
  return fonts === fontConfiguration(directory);
}

/**
 * The package unpacks into TMPDIR, and includes the shared libraries (NSS, NSPR, expat) only on AWS Lambda. A
 * separate process gets both variables without a change of this one.
 */
async function unpackInto(directory: string): Promise<void> {
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: projectDirectory,
    env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
}

/** Chromium needs at least one font: the packaged one is used when the system has none. */
function fontConfiguration(directory: string, systemFonts = ['/usr/share/fonts']): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${[...systemFonts, `${directory}/fonts`].map((each) => `  <dir>${each}</dir>`).join('\n')}
  <cachedir>${directory}/fonts-cache</cachedir>
</fontconfig>
`;
}
