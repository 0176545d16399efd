/** A program beside the service that computes until it is ended. */
import { serveJobs } from './jobs.ts';

serveJobs(async () => {
  for (;;);
});
