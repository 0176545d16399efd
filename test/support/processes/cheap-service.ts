/** A program: the service with the settings of its environment, and with cheap password hashes. */
import { readConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/lib/log/log.ts';
import { start } from '../../../src/startup/start.ts';
import { CHEAP_PARAMETERS } from '../service.ts';

const config = readConfig(process.env);
const logger = createLog(config.logLevel, process.stdout);
const service = await start(config, logger, { passwordParameters: CHEAP_PARAMETERS });
process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
console.log(`The test service listens on ${service.url} `);
