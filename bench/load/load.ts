/**
 * Load generator: autocannon in a process of its own, so that it shares no thread with the server. Each connection
 * sends its next request as soon as it has received the previous response.
 */
import autocannon from 'autocannon';
import { type LoadResult, serveJobs, startClock } from './jobs.ts';
import type { BenchRequest } from './requests.ts';

export interface Job {
  readonly port: number;
  /** Divided among the connections; each connection repeats its share. */
  readonly requests: readonly BenchRequest[];
  readonly connections: number;
  readonly milliseconds: number;
}

/** Interval at which autocannon checks whether the time is up. */
const SAMPLE_MS = 20;
/** autocannon's own histogram has a resolution of 1 ms; most responses take less. */
const LATENCIES = new Float32Array(1_000_000);

async function run(job: Job): Promise<LoadResult> {
  let responses = 0;
  let unexpectedStatus: number | null = null;
  let stopClock = startClock();
  const { errors } = await runAutocannon(job, (load) => {
    load.on('start', () => {
      stopClock = startClock();
    });
    // Arguments: client, status, bytes, latency.
    load.on('response', (...[, status, , latency]) => {
      LATENCIES[responses++] = latency;
      if (status >= 200 && status < 300) return;
      unexpectedStatus ??= status;
      load.stop();
    });
  });
  if (unexpectedStatus !== null) throw new Error(`The server responded with ${unexpectedStatus}`);
  if (errors > 0) throw new Error('A connection failed or a request timed out');
  return stopClock(LATENCIES.subarray(0, responses));
}

/** Runs autocannon. `observe` adds listeners before the first request is sent. */
function runAutocannon(
  { port, requests, connections, milliseconds }: Job,
  observe: (load: autocannon.Instance) => void,
) {
  return new Promise<autocannon.Result>((resolve, reject) => {
    let client = 0;
    const options: autocannon.Options = {
      url: `http://127.0.0.1:${port}`,
      connections,
      duration: milliseconds / 1000,
      sampleInt: SAMPLE_MS,
      bailout: 1,
      setupClient: (each) => each.setRequests(selectRequests(requests, client++, connections)),
    };
    observe(autocannon(options, (error, result) => (error ? reject(error) : resolve(result))));
  });
}

/** Returns the requests of one connection. If there are enough, each connection has its own. */
function selectRequests(
  requests: readonly BenchRequest[],
  client: number,
  clients: number,
): autocannon.Request[] {
  const own =
    requests.length < clients ? requests : requests.filter((_, index) => index % clients === client);
  // Copies, because autocannon keeps the serialized request in the object.
  return own.map(({ method, path, headers, body }) => ({ method, path, headers: { ...headers }, body }));
}

serveJobs(run);
