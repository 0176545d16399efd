/**
 * The load generator, a process of its own so that it shares no thread with what it measures: takes a `Job`
 * from its parent, answers an `Outcome` or a `Failure`, takes the next.
 */
import { Connection } from './connection.ts';

export interface Job {
  readonly port: number;
  /** Whole requests as they go over the wire, sent in turn and from the beginning again. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly milliseconds: number;
  /** Sent by the clock, whatever is still unanswered. Null: each connection sends as soon as it is answered. */
  readonly perSecond: number | null;
}

export interface Outcome {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds from the request to the last byte of its response: the median and the 99th percentile. */
  readonly p50: number;
  readonly p99: number;
  /** How much of its core the load generator used, 0 to 1: near 1 it is what was measured. */
  readonly busy: number;
}

export interface Failure {
  readonly failure: string;
}

const TICK_MS = 1;
const LATENCIES = new Float32Array(4_000_000);

function run(job: Job): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const requests = job.requests.map((text) => Buffer.from(text));
    const began = performance.now();
    const ends = began + job.milliseconds;
    const cpu = process.cpuUsage();
    const idle: Connection[] = [];
    let answers = 0;
    let next = 0;
    const send = (connection: Connection) => connection.send(requests[next++ % requests.length]!);
    const events = {
      answered(connection: Connection, milliseconds: number) {
        LATENCIES[answers++] = milliseconds;
        if (performance.now() >= ends) return finish();
        if (job.perSecond === null) send(connection);
        else idle.push(connection);
      },
      failed: (reason: string) => finish(new Error(reason)),
    };
    const connections = Array.from({ length: job.connections }, () => new Connection(job.port, events));
    const finish = (error?: Error) => {
      clearInterval(timer);
      for (const connection of connections) connection.close();
      if (error !== undefined) reject(error);
      else resolve(outcome(answers, performance.now() - began, process.cpuUsage(cpu)));
    };
    const timer = setInterval(() => {
      if (job.perSecond === null) return;
      const due = Math.floor(((performance.now() - began) / 1000) * job.perSecond);
      while (next < due && idle.length > 0) send(idle.pop()!);
    }, TICK_MS);
    if (job.perSecond === null) connections.forEach(send);
    else idle.push(...connections);
  });
}

function outcome(answers: number, milliseconds: number, { user, system }: NodeJS.CpuUsage): Outcome {
  const sorted = LATENCIES.subarray(0, answers).sort();
  return {
    requests: answers,
    perSecond: (answers / milliseconds) * 1000,
    p50: sorted[Math.floor(answers * 0.5)]!,
    p99: sorted[Math.floor(answers * 0.99)]!,
    busy: (user + system) / 1000 / milliseconds,
  };
}

process.on('message', (job: Job) => {
  run(job).then(
    (result: Outcome) => process.send?.(result),
    (error: Error) => process.send?.({ failure: error.message } satisfies Failure),
  );
});
