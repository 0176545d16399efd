import { runShard } from '../support/shard.ts';

runShard(0);
