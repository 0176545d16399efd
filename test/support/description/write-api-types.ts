/**
 * Writes the types of the API for the pages, unless they are newer than the description and the generators: when
 * packages are installed, and before types are checked.
 */
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_TYPES, generateApiTypes, ROOT } from './generate-client.ts';

const getTime = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = ['openapi.json', 'package-lock.json'].map((name) => getTime(join(ROOT, name)));

if (getTime(API_TYPES) <= Math.max(...sources)) {
  // Another command may be reading them.
  const unfinished = API_TYPES.replace(/\.d\.ts$/, `-${process.pid}.d.ts`);
  writeFileSync(unfinished, await generateApiTypes());
  renameSync(unfinished, API_TYPES);
}
