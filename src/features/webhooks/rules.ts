/** Rules of endpoints: pure functions. */
import type { AddressPolicy } from '../../lib/outbound/address-policy.ts';
import { checkUrl } from '../../lib/outbound/check-url.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import { EVENT_TYPE_NAMES, type EventType } from '../events/event-types.ts';
import type { RecordedChange } from '../events/record-event.ts';
import type { EndpointRow } from './webhook.ts';

export interface EndpointChanges {
  readonly url?: string;
  readonly types?: readonly EventType[] | null;
  readonly description?: string | null;
  readonly enabled?: boolean;
}

export type EndpointSettings = Pick<
  EndpointRow,
  'url' | 'types' | 'description' | 'enabled' | 'disabled_reason' | 'failing_since' | 'last_error'
>;

/** Returns the URL in its normal form. @throws Problem validation_failed if nothing can be delivered to it */
export function normalizeUrl(url: string, policy: AddressPolicy): string {
  const checked = checkUrl(url, policy);
  if ('url' in checked) return checked.url;
  throw validationFailed({ url: [`The url field must ${checked.reason}`] });
}

const INITIAL: EndpointSettings = {
  url: '',
  types: null,
  description: null,
  enabled: 1,
  disabled_reason: null,
  failing_since: null,
  last_error: null,
};

/** Returns the settings of a new endpoint, whose URL is in its normal form. */
export function toSettings(given: EndpointChanges & { readonly url: string }): EndpointSettings {
  return applyChanges(INITIAL, given);
}

/** Returns the endpoint after the changes. Enabling it forgets why it was disabled, and its failures. */
export function applyChanges<Row extends EndpointSettings>(endpoint: Row, changes: EndpointChanges): Row {
  const { url = endpoint.url, description = endpoint.description } = changes;
  const types = changes.types === undefined ? endpoint.types : toStoredTypes(changes.types);
  return { ...endpoint, url, description, types, ...toState(endpoint, changes.enabled) };
}

function toState(endpoint: EndpointSettings, enabled: boolean | undefined): Partial<EndpointSettings> {
  if (enabled === undefined || enabled === (endpoint.enabled === 1)) return {};
  if (enabled) return { enabled: 1, disabled_reason: null, failing_since: null, last_error: null };
  return { enabled: 0, disabled_reason: 'administrator' };
}

/** Returns the changed members for the record of events: with the values of `enabled` only. */
export function listChanges(before: EndpointSettings, after: EndpointSettings): RecordedChange[] {
  const names = (['url', 'types', 'description'] as const).filter((name) => before[name] !== after[name]);
  const changes: RecordedChange[] = names.map((name) => ({ name }));
  if (before.enabled === after.enabled) return changes;
  return [...changes, { name: 'enabled', from: before.enabled === 1, to: after.enabled === 1 }];
}

/** Returns the types as they are stored: each once, in their documented order. */
function toStoredTypes(types: readonly EventType[] | null): string | null {
  return types === null ? null : JSON.stringify(EVENT_TYPE_NAMES.filter((type) => types.includes(type)));
}

/** Returns the subject of the events of an endpoint. */
export const formatEndpointSubject = (id: string): string => `webhook:${id}`;
