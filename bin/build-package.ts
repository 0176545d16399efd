/**
 * Builds what `npm pack` puts into the package: JavaScript in dist/ in place of src/, because Node does not strip types
 * below node_modules, and the pages. The files are at the same depth as their sources, so that relative paths hold.
 */
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { WEB_DIRECTORIES } from '../src/features/pages/assets/assets.ts';
import { buildWeb } from '../src/features/pages/assets/build-web.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const DEVELOPMENT_FILES = /\.test\.ts$|\/build-(?:command|search-index|web)\.ts$/;
/** Quoted relative paths: of imports, `require`, and `new URL(…, import.meta.url)`. */
const MODULE_PATH = /(["'])(\.\.?\/[\w./-]+)\.ts\1/g;
const COMMAND = /npm run (?:-s )?cli --/g;

// The second build deletes bundles of earlier sources, which the first one keeps for processes that serve them.
await buildWeb(WEB_DIRECTORIES);
await buildWeb(WEB_DIRECTORIES);
for (const name of readdirSync(DIST)) if (name !== 'web') rmSync(join(DIST, name), { recursive: true });
const sources = globSync('**/*.*', { cwd: join(ROOT, 'src') });
await Promise.all(sources.filter((path) => !DEVELOPMENT_FILES.test(path)).map(buildFile));

async function buildFile(path: string): Promise<void> {
  const source = join(ROOT, 'src', path);
  const target = join(DIST, path);
  mkdirSync(dirname(target), { recursive: true });
  if (!path.endsWith('.ts')) return copyFileSync(source, target);
  const { code } = await transform(readFileSync(source, 'utf8'), { loader: 'ts', target: 'esnext' });
  const built = code.replace(MODULE_PATH, '$1$2.js$1').replace(COMMAND, 'frontdesk');
  writeFileSync(target.replace(/\.ts$/, '.js'), built);
}
