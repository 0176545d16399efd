/** Sends the same requests to several servers in turn and compares their costs. */
import { deepStrictEqual } from 'node:assert';
import type { Helper, Server } from '../processes/stage.ts';
import type { Finding, Target } from './findings.ts';
import type { LoadResult } from './jobs.ts';
import type { Job } from './load.ts';
import { type BenchRequest, fetchResponse } from './requests.ts';
import type { Measure } from './rounds.ts';
import { median, p50s, p99s, rates, ratios } from './statistics.ts';

const CONNECTIONS = 16;

export interface CostedResult extends LoadResult {
  /** Processor time of the server per request in microseconds; NaN on systems other than Linux. */
  readonly cpu: number;
  /** Resident memory of the server afterwards in MB. */
  readonly memory: number;
}

/** Returns a measure of `server` with all the load that the connections produce. */
export function measureServer(
  load: Helper<Job, LoadResult>,
  server: Server,
  { create, connections = CONNECTIONS }: { create: () => readonly BenchRequest[]; connections?: number },
): Measure<CostedResult> {
  return async (milliseconds) => {
    const requests = create();
    const before = server.cpuMicroseconds();
    const result = await load({ port: server.port, requests, connections, milliseconds });
    const cpu = (server.cpuMicroseconds() - before) / result.requests;
    return { ...result, cpu, memory: server.memory() };
  };
}

/** @throws when the responses differ; cursors are ignored, because each server has its own format */
export async function assertSameResponses(servers: readonly Server[], request: BenchRequest): Promise<void> {
  const responses = await Promise.all(
    servers.map(async ({ port }) => {
      const response = await fetchResponse(port, request);
      const { next_cursor: cursor, ...rest } = (await response.json()) as Record<string, unknown>;
      return { status: response.status, hasCursor: typeof cursor === 'string', ...rest };
    }),
  );
  for (const response of responses) deepStrictEqual(response, responses[0]);
}

/** Returns the costs of one server. */
export function toCostFinding(bench: string, what: string, results: readonly CostedResult[]): Finding {
  return {
    bench,
    what,
    figures: {
      '/s': median(rates(results)),
      'cpu µs': median(results.map(({ cpu }) => cpu)),
      'p50 ms': median(p50s(results)),
      'p99 ms': median(p99s(results)),
      MB: median(results.map(({ memory }) => memory)),
      'load busy': Math.max(...results.map(({ busy }) => busy)),
    },
    target: null,
  };
}

export const CPU_RATIO = 'cpu ratio';

/** Compares the service with a reference. Higher is better: 2 means half the processor time, or twice the rate. */
export function toRatioFinding(
  bench: string,
  what: string,
  {
    service,
    reference,
    target,
  }: { service: CostedResult[]; reference: CostedResult[]; target: Target | null },
): Finding {
  const cpuRatios = ratios(getCpuTimes(reference), getCpuTimes(service));
  const rateRatios = ratios(rates(service), rates(reference));
  return {
    bench,
    what,
    figures: {
      [CPU_RATIO]: median(cpuRatios),
      'cpu per round': cpuRatios,
      'rate ratio': median(rateRatios),
      'rate per round': rateRatios,
    },
    target,
  };
}

/** Returns the processor time per request; where the system does not report it, the time per request at full load. */
function getCpuTimes(results: readonly CostedResult[]): number[] {
  return results.map(({ cpu, perSecond }) => (Number.isNaN(cpu) ? 1_000_000 / perSecond : cpu));
}
