/** Load generator with a constant rate, in a process of its own. Any response other than 2xx ends the job. */

import { type ConstantRateJob, sendAtConstantRate } from './constant-rate.ts';
import { type LoadResult, serveJobs, startClock } from './jobs.ts';

async function run(job: ConstantRateJob): Promise<LoadResult> {
  const stopClock = startClock();
  const responses = await sendAtConstantRate(job);
  const failed = responses.find(({ status }) => status < 200 || status >= 300);
  if (failed !== undefined) throw new Error(`The server responded with ${failed.status}`);
  return stopClock(Float64Array.from(responses, ({ milliseconds }) => milliseconds));
}

serveJobs(run);
