/** Bundles the pages in web/ with esbuild: files with a hash in their names, also compressed, and their manifest. */
import { hash } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { DOCUMENT_TITLES } from '../documents/document-list.ts';
import { readSections } from '../documents/markdown-page.ts';
import { type SearchIndex, splitWords } from '../documents/search-index.ts';
import { MANIFEST, type Manifest, type WebDirectories } from './assets.ts';

/** Names of entries, and their files below web/. */
const ENTRIES = {
  console: 'console/main.tsx',
  reference: 'reference/main.tsx',
  theme: 'common/theme.ts',
  favicon: 'common/favicon.svg',
  style: 'common/style/style.css',
  documents: 'documents/main.ts',
  account: 'account/main.ts',
  form: 'forms/frame.ts',
  embed: 'forms/embed.ts',
};

/** Added to the name of a file as it is, compressed with Brotli, and with gzip. Fonts are compressed already. */
const EXTENSIONS = ['', '.br', '.gz'] as const;

/**
 * Writes the bundles and the manifest. Another process may serve the files of the build before; earlier ones are
 * deleted.
 */
export async function buildWeb(directories: WebDirectories): Promise<void> {
  const builds = await bundle(directories);
  await fs.mkdir(directories.bundles, { recursive: true });
  const index = Buffer.from(JSON.stringify(await buildSearchIndex()));
  const search = `search-${hash('sha256', index, 'hex').slice(0, 8)}.json`;
  const written = [
    ...builds.flatMap(({ outputFiles }) => outputFiles),
    { path: join(directories.bundles, search), contents: index },
  ];
  await Promise.all(written.map(({ path, contents }) => writeCompressed(path, contents)));
  const files = written.map(({ path }) => basename(path));
  const filesBefore = await listManifestFiles(directories);
  const shared = builds
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .filter((path) => path.startsWith('../src/'));
  const searchEntry = { scripts: [], styles: [], images: [], fonts: [], data: [search] };
  const entries = { ...toEntries(builds), search: searchEntry };
  const documents = DOCUMENT_FILES.map((path) => relative(directories.sources, path));
  const manifest: Manifest = { entries, files, shared: [...shared, ...documents] };
  await writeAtomically(join(directories.bundles, MANIFEST), JSON.stringify(manifest));
  await deleteOthers(directories, [...files, ...filesBefore]);
}

async function listManifestFiles({ bundles }: WebDirectories): Promise<readonly string[]> {
  try {
    const { files }: Manifest = JSON.parse(await fs.readFile(join(bundles, MANIFEST), 'utf8'));
    return files;
  } catch {
    return [];
  }
}

async function deleteOthers({ bundles }: WebDirectories, files: readonly string[]): Promise<void> {
  const kept = new Set([
    MANIFEST,
    ...files.flatMap((file) => EXTENSIONS.map((extension) => file + extension)),
  ]);
  // Unfinished files belong to a process that builds at the same time.
  const isOther = (name: string) => !kept.has(name) && !name.endsWith('.tmp');
  const others = (await fs.readdir(bundles)).filter(isOther);
  await Promise.all(others.map((name) => fs.rm(join(bundles, name), { force: true })));
}

/** Bundles the console by itself: what it shares with other entries would be many small files. */
function bundle({ sources, bundles }: WebDirectories) {
  const { console, ...others } = ENTRIES;
  const options = {
    absWorkingDir: sources,
    outdir: bundles,
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2024',
    loader: { '.svg': 'copy', '.woff2': 'file' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  } as const satisfies BuildOptions;
  return Promise.all([{ console }, others].map((entryPoints) => build({ ...options, entryPoints })));
}

function toEntries(builds: readonly { readonly metafile: Metafile }[]): Manifest['entries'] {
  const sources = Object.entries(ENTRIES);
  const outputs = builds.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  const found = outputs.flatMap(([path, { entryPoint, cssBundle, imports }]) => {
    const name = sources.find(([, source]) => source === entryPoint)?.[0];
    if (name === undefined) return [];
    const linked = imports.filter(({ kind }) => kind === 'import-statement' || kind === 'url-token');
    const chunks = linked.map(({ path: chunk }) => chunk);
    const bundles = [path, ...(cssBundle === undefined ? [] : [cssBundle]), ...chunks];
    const select = (ending: string) =>
      bundles.filter((each) => each.endsWith(ending)).map((each) => basename(each));
    const files = {
      scripts: select('.js'),
      styles: select('.css'),
      images: select('.svg'),
      fonts: select('.woff2'),
      data: [],
    };
    return [[name, files]];
  });
  return Object.fromEntries(found);
}

async function writeCompressed(path: string, contents: Uint8Array): Promise<void> {
  if (path.endsWith('.woff2')) return writeOnce(path, contents);
  const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, quality),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  const versions = [contents, br, gz] as const;
  await Promise.all(EXTENSIONS.map((extension, index) => writeOnce(path + extension, versions[index]!)));
}

/** Leaves a file that is there already: its name has the hash of its content. */
async function writeOnce(path: string, contents: Uint8Array): Promise<void> {
  const isPresent = await fs.access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isPresent) await writeAtomically(path, contents);
}

async function writeAtomically(path: string, contents: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  await fs.writeFile(unfinished, contents);
  await fs.rename(unfinished, path);
}

const DIRECTORY = join(import.meta.dirname, '..', '..', '..', '..', 'docs');

/** Files of all documents. */
export const DOCUMENT_FILES = [...DOCUMENT_TITLES.keys()].map((path) =>
  join(DIRECTORY, path === '/' ? 'index.md' : path.replace(/^\/docs\/(.+)$/, '$1.md')),
);

export async function buildSearchIndex(): Promise<SearchIndex> {
  const pages = [...DOCUMENT_TITLES];
  const texts = await Promise.all(DOCUMENT_FILES.map((file) => readFile(file, 'utf8')));
  const all = texts.flatMap((text, page) => readSections(text).map((section) => ({ page, ...section })));
  const places = new Map<string, number[]>();
  for (const [number, { headings, text }] of all.entries()) {
    for (const word of new Set(splitWords(`${headings.at(-1)} ${text}`)))
      places.getOrInsert(word, []).push(number);
  }
  const lines = [...places]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, numbers]) => (numbers.length > all.length / 5 ? word : formatLine(word, numbers)));
  const sections = all.map(({ page, id, headings }) => [page, id, ...headings.slice(1)] as const);
  return { pages, sections, words: lines.join('\n') };
}

function formatLine(word: string, numbers: readonly number[]): string {
  const distances = numbers.map((number, index) => number - (numbers[index - 1] ?? 0));
  return [word, ...distances.map((distance) => distance.toString(36))].join(' ');
}
