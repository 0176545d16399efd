/** The deliveries of this node by endpoint: how many may run at once, and how many are leased ahead of their turn. */
import { MINUTE } from '../../../lib/time/clock.ts';
import type { DueEndpoint } from './queries.ts';

const MAX_RUNNING_PER_ENDPOINT = 4;
/** Receivers that have failed for this time get one delivery at a time: each may take until the deadline. */
const FAILING_MS = MINUTE;
/** Deliveries that an endpoint processes in this time are leased ahead: those of a slow one would only wait. */
const AHEAD_MS = 20;
const MAX_AHEAD_PER_ENDPOINT = 16;

interface EndpointState {
  running: number;
  /** Duration of the last delivery; infinite if it has failed. */
  durationMs: number;
}

export class EndpointLoad {
  readonly #states = new Map<string, EndpointState>();

  countRunning(endpointId: string): number {
    return this.#states.get(endpointId)?.running ?? 0;
  }

  mayRun(endpointId: string): boolean {
    return this.countRunning(endpointId) < MAX_RUNNING_PER_ENDPOINT;
  }

  begin(endpointId: string): void {
    const { running, durationMs } = this.#get(endpointId);
    this.#states.set(endpointId, { running: running + 1, durationMs });
  }

  end(endpointId: string, durationMs: number): void {
    this.#states.set(endpointId, { running: this.countRunning(endpointId) - 1, durationMs });
  }

  /** Returns how many deliveries of an endpoint may be leased in addition to those that run or wait. */
  countPlaces({ id, failing_since }: DueEndpoint, waiting: number, now: number): number {
    const { running, durationMs } = this.#get(id);
    const isFailing = failing_since !== null && failing_since <= now - FAILING_MS;
    if (isFailing) return 1 - running - waiting;
    const ahead = Math.floor((AHEAD_MS * MAX_RUNNING_PER_ENDPOINT) / Math.max(durationMs, 1));
    return MAX_RUNNING_PER_ENDPOINT + Math.min(ahead, MAX_AHEAD_PER_ENDPOINT) - running - waiting;
  }

  /** Forgets endpoints to which nothing is delivered now. */
  retain(endpoints: readonly DueEndpoint[]): void {
    const due = new Set(endpoints.map(({ id }) => id));
    for (const [id, { running }] of this.#states) if (running === 0 && !due.has(id)) this.#states.delete(id);
  }

  #get(endpointId: string): EndpointState {
    return this.#states.get(endpointId) ?? { running: 0, durationMs: Number.POSITIVE_INFINITY };
  }
}
