/** Reads the selection of a replay: pure functions. */
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { parseTimestamp } from '../../../lib/time.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import type { replaySchema } from './delivery.ts';

/** Ids of events, or a span in epoch milliseconds, in which `to` is not included. */
export type ReplaySelection =
  | { readonly eventIds: readonly string[] }
  | { readonly from: number; readonly to: number };

/** Whether a replay is one of the deliveries that were missed. @throws Problem validation_failed */
export function isSinceFailing({ since_failing, ...others }: SchemaValue<typeof replaySchema>): boolean {
  if (since_failing === undefined) return false;
  rejectOthers('since_failing', others);
  return true;
}

/** The latest time of a date. */
const END_OF_TIME = 8_640_000_000_000_000;

/** @throws Problem validation_failed unless exactly one of the three forms is given */
export function readSelection(request: SchemaValue<typeof replaySchema>): ReplaySelection {
  const { since, from, to, event_ids } = request;
  if (event_ids !== undefined) {
    rejectOthers('event_ids', { since, from, to });
    return { eventIds: readIds(event_ids) };
  }
  if (since !== undefined) {
    rejectOthers('since', { from, to });
    return { from: readTime('since', since), to: END_OF_TIME };
  }
  if (from === undefined) throw failure('since', 'or from, or event_ids is required.');
  if (to === undefined) throw failure('to', 'is required with from.');
  const span = { from: readTime('from', from), to: readTime('to', to) };
  if (span.from >= span.to) throw failure('to', 'must be later than from.');
  return span;
}

function rejectOthers(name: string, others: object): void {
  for (const [other, value] of Object.entries(others))
    if (value !== undefined) throw failure(other, `is not allowed with ${name}.`);
}

function readIds(ids: readonly string[]): string[] {
  for (const id of ids) if (!isId(id)) throw failure('event_ids', 'must contain ids of events only.');
  return [...new Set(ids)];
}

function readTime(name: string, text: string): number {
  const time = parseTimestamp(text);
  if (time === null) throw failure(name, 'must be a time such as 2026-01-05T09:30:00Z.');
  return time;
}

function failure(name: string, rest: string) {
  return validationFailed({ [name]: [`The ${name} field ${rest}`] });
}
