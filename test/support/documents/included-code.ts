/**
 * Code in documents that is copied from files: a line such as
 *
 *     From `examples/browser/app.js` (`token`):
 *
 * before a block of code says from which file, and which region of it (`#region token` to `#endregion` in comments).
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

/** Documents with such code. */
export const DOCUMENTS_WITH_CODE = globSync('docs/*.md', { cwd: ROOT }).filter((path) =>
  createBlockPattern().test(readFileSync(join(ROOT, path), 'utf8')),
);

/** A new expression each time, because a global one has a state. */
function createBlockPattern(): RegExp {
  return /^(From `([^`]+)`(?: \(`([\w-]+)`\))?:\n\n```\w*\n)[\s\S]*?(\n```)$/gm;
}

/** Returns a document with the code that its files have now. @throws for a file or region that does not exist */
export function includeCode(document: string): string {
  return document.replace(
    createBlockPattern(),
    (_, start: string, path: string, region: string | undefined, end: string) => {
      const text = readFileSync(join(ROOT, path), 'utf8').trimEnd();
      return start + (region === undefined ? text : findRegion(text, region, path)) + end;
    },
  );
}

/** Returns the lines of a region without its indentation. */
function findRegion(text: string, region: string, path: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim().endsWith(`region ${region}`));
  const end = lines.findIndex((line, index) => index > start && line.trim().endsWith('endregion'));
  if (start === -1 || end === -1) throw new Error(`${path} has no region ${region}`);
  const indentation = /^ */.exec(lines[start]!)![0].length;
  return lines
    .slice(start + 1, end)
    .map((line) => line.slice(indentation))
    .join('\n')
    .trim();
}
