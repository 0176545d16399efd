/** The source files of the service, with what they import. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface SourceFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  /** Imported files, relative to the project, and names of packages. Includes imports of types. */
  readonly imports: readonly string[];
  /** Imports that are loaded at run time. */
  readonly values: readonly string[];
}

/** Import statements, and what is loaded later: `import('…')`, `require('…')`, `import.meta.resolve('…')`. */
const IMPORT =
  /^(?:(?:import|export)\b[^;'"]*?\bfrom|import) '([^']+)';$|\b(?:import|require|import\.meta\.resolve)\(\s*'([^']+)'/gm;
const TYPE_IMPORT = /^import type\b/;
/** Strings are matched as well, so that text such as `https://…` is not taken for a comment. */
const STRING_OR_COMMENT =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/.*/g;

export function parseSource(path: string, text: string): SourceFile {
  const found = [...text.matchAll(IMPORT)].map(([statement, imported, loaded]) => {
    const name = imported ?? loaded!;
    return {
      name: name.startsWith('.') ? normalize(join(dirname(path), name)) : name,
      isType: TYPE_IMPORT.test(statement),
    };
  });
  return {
    path,
    text,
    code: text.replace(STRING_OR_COMMENT, (found) => (found.startsWith('/') ? '' : found)),
    imports: found.map(({ name }) => name),
    values: found.filter(({ isType }) => !isType).map(({ name }) => name),
  };
}

/** Returns the files that match, except tests. Default: those of the service. */
export function readSources(pattern = 'src/**/*.ts'): SourceFile[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')));
}
