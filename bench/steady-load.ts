/** Load generator with a constant rate, in a process of its own. Any response other than 2xx ends the job. */
import { type Outcome, serveJobs, startClock } from './jobs.ts';
import { type SteadyJob, sendSteadily } from './steady-client.ts';

async function run(job: SteadyJob): Promise<Outcome> {
  const stopClock = startClock();
  const replies = await sendSteadily(job);
  const failed = replies.find(({ status }) => status < 200 || status >= 300);
  if (failed !== undefined) throw new Error(`The server responded with ${failed.status}`);
  return stopClock(Float64Array.from(replies, ({ milliseconds }) => milliseconds));
}

serveJobs(run);
