import { runShard } from '../support/runner/shard.ts';

runShard(import.meta.filename);
