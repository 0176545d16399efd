/** The process of the service that a drill starts on a restored copy. Ends with the process that has started it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readConfig } from '../../config.ts';
import { createLog } from '../../lib/log/log.ts';
import { start } from '../start.ts';

process.umask(0o077);
process.once('disconnect', () => process.exit());
process.once('message', async (variables: Record<string, string>) => {
  // The process that has started it may have been killed since, and another may have removed the directory, which a
  // service creates again. Then the disconnection is known now, too.
  await nextTurn();
  const logger = createLog('silent', { write: () => {} });
  try {
    const { url } = await start(readConfig(variables), logger);
    process.send!({ url });
  } catch (error) {
    process.send!({ problem: (error as Error).message });
  }
});
