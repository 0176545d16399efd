// First, so that browser and processes end after the last suite instead of the first.
import '../support/browser/browser.ts';
import '../support/processes/process.ts';
import { runShard } from '../support/runner/shard.ts';

runShard(import.meta.filename);
