/** Builds the pages at the start of the service. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../../lib/log/log.ts';
import { MANIFEST, WEB_DIRECTORIES, type WebDirectories } from './assets.ts';
import { ensureBuilt } from './ensure-built.ts';

/** Builds the pages if a source has changed. A failure is logged: without its pages, the service does everything else. */
export async function buildPages(logger: Log, directories: WebDirectories = WEB_DIRECTORIES): Promise<void> {
  try {
    await ensureBuilt(directories);
  } catch (error) {
    // The build replaces the manifest last: the files that it names are complete.
    if (existsSync(join(directories.bundles, MANIFEST)))
      logger.warn(
        { err: error },
        'the pages have changed and could not be built: those of the last build are shown',
      );
    else logger.error({ err: error }, 'the console and the reference could not be built and cannot be shown');
  }
}
