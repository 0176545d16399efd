import { runShard } from '../support/runner/shard.ts';

runShard(5);
