/** Metrics of this process in the format of Prometheus. Loaded only if METRICS_PORT is set. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { DATABASE_ERRORS, type DatabaseErrorKind } from '../../database/count-errors.ts';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '../../features/jobs/job-worker.ts';
import { JOB_QUEUES, type JobQueue } from '../../features/jobs/queries.ts';
import { readVersion } from '../../lib/files.ts';
import type { ReportResponse, RequestObserver } from '../../plugins/request-metrics.ts';

/** Methods of sign-ins by the routes that complete them. */
const SIGN_INS: ReadonlyMap<string, string> = new Map([
  ['POST /api/login', 'password'],
  ['POST /api/v1/login', 'password'],
  ['POST /sign-in', 'password'],
  ['POST /api/v1/login/second-factor', 'second_factor'],
  ['POST /sign-in/second-factor', 'second_factor'],
  ['GET /sign-in/callback/{id}', 'provider'],
  ['POST /sign-in/identity/code', 'provider'],
  ['POST /sign-in/identity/password', 'provider'],
  ['POST /sign-in/identity/not-mine', 'provider'],
  ['POST /console/session', 'console'],
]);

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Failed requests of further routes are counted together: a client could otherwise create a series for each. */
const MAX_FAILED_ROUTES = 80;
const OTHER = 'other';

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const info = new Gauge({
    name: 'frontdesk_build_info',
    help: 'Release of the service. The value is 1.',
    labelNames: ['version'],
    registers,
  });
  info.set({ version: readVersion() }, 1);
  const errors = new Counter({
    name: 'frontdesk_database_errors_total',
    help: 'Failed reads and transactions, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const attempts = new Counter({
    name: 'frontdesk_job_attempts_total',
    help: 'Ended attempts to send mail and to deliver events to webhooks, by queue and outcome.',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  // A series that begins with its first value has no rate: alerts would miss it.
  for (const kind of DATABASE_ERRORS) errors.inc({ kind }, 0);
  for (const queue of JOB_QUEUES) for (const outcome of ATTEMPT_OUTCOMES) attempts.inc({ queue, outcome }, 0);
  return {
    registry,
    observer: createRequestObserver(registers),
    databaseFailed: (kind: DatabaseErrorKind) => errors.inc({ kind }),
    jobAttempted: (queue: JobQueue, outcome: AttemptOutcome) => attempts.inc({ queue, outcome }),
    addGauges: (gauges: readonly GaugeDefinition[]) => {
      for (const gauge of gauges) addGauge(gauge, registers);
    },
  };
}

interface RequestSeries {
  /** Requests since they were last collected: the library takes a microsecond for each change. */
  count: number;
  /** Their durations in seconds; null for streams, which are as long as their client wants. */
  readonly durations: number[] | null;
}

/** Durations that are kept until they are added to the histogram, or until it is read. */
const MAX_KEPT_DURATIONS = 1_024;

/** Returns the functions that create the numbers of a route and a class of status, and count a response. */
function createRequestSeries(registers: Registry[]) {
  const durations = createDurations(registers);
  const all: (RequestSeries & { readonly labels: Record<'method' | 'route' | 'status', string> })[] = [];
  new Counter({
    name: 'frontdesk_http_requests_total',
    help: 'Responses, by method, template of the path and class of the status.',
    labelNames: ['method', 'route', 'status'],
    registers,
    collect() {
      for (const series of all) {
        this.inc(series.labels, series.count);
        series.count = 0;
      }
    },
  });
  return {
    add(method: string, route: string, status: string): RequestSeries {
      const kept = route.endsWith('/stream') ? null : durations.keep(status);
      const series = { labels: { method, route, status }, count: 0, durations: kept };
      all.push(series);
      return series;
    },
    count(series: RequestSeries, status: string, seconds: number): void {
      series.count++;
      if (series.durations?.push(seconds) === MAX_KEPT_DURATIONS) durations.add(series.durations, status);
    },
  };
}

function createDurations(registers: Registry[]) {
  const kept = new Map<string, number[]>();
  const add = (seconds: number[], status: string): void => {
    for (const each of seconds) histogram.observe({ status }, each);
    seconds.length = 0;
  };
  const histogram = new Histogram({
    name: 'frontdesk_http_request_duration_seconds',
    help: 'Time from the request to the end of the response, by class of the status.',
    labelNames: ['status'],
    buckets: DURATION_BUCKETS,
    registers,
    collect: () => kept.forEach(add),
  });
  for (const status of ['2xx', '3xx', '4xx', '5xx']) histogram.zero({ status });
  return { add, keep: (status: string) => kept.getOrInsert(status, []) };
}

function createRequestObserver(registers: Registry[]): RequestObserver {
  const requests = createRequestSeries(registers);
  const streams = new Gauge({
    name: 'frontdesk_event_streams',
    help: 'Open streams of events.',
    registers,
  });
  const countOutcome = createOutcomeCounters(registers);
  const isCounted = createFailureLimit();
  return {
    observeRoute(method, route) {
      const series: RequestSeries[] = [];
      const signIn = SIGN_INS.get(`${method} ${route}`);
      return (response, seconds) => {
        const { status: code, problem } = response;
        const group = Math.floor(code / 100);
        const status = `${group}xx`;
        if (series[group] === undefined) {
          const isOwn = route !== null && isCounted(`${method} ${route} ${status}`, code);
          series[group] = requests.add(isOwn ? method : OTHER, isOwn ? route : OTHER, status);
        }
        requests.count(series[group], status, seconds);
        if (signIn !== undefined || problem !== null) countOutcome(signIn, response);
      };
    },
    streamsChanged: (by) => streams.inc(by),
  };
}

/** Counts sign-ins by outcome, and requests that a rate limit has rejected. */
function createOutcomeCounters(registers: Registry[]) {
  const signIns = new Counter({
    name: 'frontdesk_sign_ins_total',
    help: 'Sign-ins, by method and outcome: succeeded, or the code of the error response.',
    labelNames: ['method', 'outcome'],
    registers,
  });
  const rejections = new Counter({
    name: 'frontdesk_rate_limit_rejections_total',
    help: 'Requests that a rate limit has rejected, by the code of the error response.',
    labelNames: ['code'],
    registers,
  });
  return (method: string | undefined, { status, isSignedIn, problem }: Parameters<ReportResponse>[0]) => {
    if (method !== undefined && (status < 300 || isSignedIn || problem !== null))
      signIns.inc({ method, outcome: problem ?? 'succeeded' });
    if (status === 429 && problem !== null) rejections.inc({ code: problem });
  };
}

/** Creates the function that returns whether a response has a series of its own: anybody can cause failures. */
function createFailureLimit() {
  const failed = new Set<string>();
  return (key: string, status: number): boolean => {
    if (status < 400 || failed.has(key)) return true;
    if (failed.size === MAX_FAILED_ROUTES) return false;
    failed.add(key);
    return true;
  };
}

/** One gauge, with the values of its label. `createGauges` lists all. */
export interface GaugeDefinition {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** Returns values by label; `''` without one. A failed read leaves the gauge without a value. */
  read(): Promise<Readonly<Record<string, number>>>;
}

function addGauge({ name, help, label, read }: GaugeDefinition, registers: Registry[]): void {
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers,
    async collect() {
      this.reset();
      // Without the database, the other metrics matter all the more.
      const values = await read().catch(() => null);
      if (values === null) return this.remove();
      for (const [key, value] of Object.entries(values)) {
        if (label === undefined) this.set(value);
        else this.set({ [label]: key }, value);
      }
    },
  });
}
