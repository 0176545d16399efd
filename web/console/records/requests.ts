/** Requests that create and change records. */
import { ApiError } from '../../common/api.ts';
import { read, request } from '../session.ts';
import { announce } from '../status.tsx';

/** A record, as the API returns it. Its version is the precondition of a change. */
export interface StoredRecord {
  readonly id: string;
  readonly version?: number;
  /** The version of forms. */
  readonly revision?: number;
}

/** Properties of the parts of a page that show and change a record. */
export interface Section<T> {
  readonly record: T;
  /** Loads the record again. */
  readonly onChange: () => void;
}

/** Properties of the page of a record. */
export interface PageSection<T> extends Section<T> {
  /** Increases with each change, so that all parts load the changed data. */
  readonly revision: number;
}

export type Records<T extends StoredRecord> = ReturnType<typeof createRecords<T>>;
/** Records as their pages need them, whatever they have. */
export type RecordKind = Omit<Records<StoredRecord>, 'read' | 'change' | 'remove' | 'act'>;

/**
 * Returns what records of one kind are called, their list in the console, and the requests to them.
 * @param path of their list in the API
 */
export function createRecords<T extends StoredRecord>(
  path: string,
  noun: string,
  page = `/console/${noun}s`,
) {
  const pathTo = (id: string, rest = '') => `${path}/${encodeURIComponent(id)}${rest}`;
  return {
    ...{ path, noun, page, pathTo },
    /** To which a record leads back; that of users, as it was left. */
    list: { name: `${noun}s`, to: page, state: null as unknown },
    /** The label of the button that creates one. */
    creation: `Create ${noun}`,
    /** Returns the page of a record. */
    link: (id: string) => `${page}/${id}`,
    read: (id: string): Promise<T> => read<T>(pathTo(id)),
    /** Returns the record after the change. @throws ApiError with 412 when it was changed since */
    change: async ({ record, onChange }: Change<T>, body: object): Promise<T> => {
      const headers = ifMatch(getLatest(record));
      const changed = await orReload(
        read<T>(pathTo(record.id), { method: 'PATCH', headers, body }),
        onChange,
      );
      ownChanges.set(record.id, changed);
      return changed;
    },
    remove: ({ record, onChange }: Section<T>): Promise<unknown> =>
      orReload(request(pathTo(record.id), { method: 'DELETE', headers: ifMatch(record) }), onChange),
    /** Runs an action once, as `post`. */
    act: <R>({ id }: Pick<T, 'id'>, action: string, body: object = {}): Promise<R> =>
      post<R>(pathTo(id, `/${action}`), body),
  };
}

/** Records after changes by this page, by id: a further one may begin before the record was loaded again. */
const ownChanges = new Map<string, StoredRecord>();

const toVersion = ({ version, revision }: StoredRecord) => version ?? revision ?? 0;

function getLatest(record: StoredRecord): StoredRecord {
  const changed = ownChanges.get(record.id);
  return changed !== undefined && toVersion(changed) > toVersion(record) ? changed : record;
}

/** Returns the precondition that the record is as this page shows it. */
export function ifMatch({
  version,
  revision,
}: Pick<StoredRecord, 'version' | 'revision'>): Record<string, string> {
  const present = version ?? revision;
  return present === undefined ? {} : { 'If-Match': `"${present}"` };
}

/** Whether the record is no longer as this page shows it. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** Loads the record again when somebody else has changed it, so that the next attempt is based on the shown version. */
export async function orReload<T>(change: Promise<T>, onChange?: () => void): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (isOutdated(error)) {
      ownChanges.clear();
      onChange?.();
    }
    throw error;
  }
}

/** Enables or disables a record, and offers to undo it. @param describe returns the message */
export async function toggleEnabled<T extends StoredRecord & { readonly enabled: boolean }>(
  records: Records<T>,
  section: Section<T>,
  describe: (changed: T) => string,
): Promise<void> {
  const changed = await records.change(section, { enabled: !section.record.enabled });
  announce(describe(changed), {
    undo: () => toggleEnabled(records, { ...section, record: changed }, describe),
  });
  section.onChange();
}

/** Without `onChange`, the page shows by itself that the record was changed since. */
type Change<T> = Pick<Section<T>, 'record'> & Partial<Section<T>>;

function postOnce<T>(path: string, body: object, key: string): Promise<T> {
  return read<T>(path, { method: 'POST', headers: { 'Idempotency-Key': key }, body });
}

/** The last request that may have been processed without a response. */
let unanswered = { text: '', key: '' };

/**
 * Creates a record, or runs an action. A request without a response may have been processed: the same one is sent with
 * the same key, until the service has responded. `isKept`: for `repeatCreation`.
 */
export async function post<T>(path: string, body: object, isKept = false): Promise<T> {
  const text = `${path} ${JSON.stringify(body)}`;
  if (unanswered.text !== text) unanswered = { text, key: crypto.randomUUID() };
  const attempt = unanswered;
  const { key } = attempt;
  try {
    const data = await postOnce<T>(path, body, key);
    const kept = { body, key, until: Date.now() + KEPT_MS };
    if (isKept) sessionStorage.setItem(toStorageKey(path), JSON.stringify(kept));
    attempt.text = '';
    return data;
  } catch (error) {
    if (error instanceof ApiError && isFinal(error)) attempt.text = '';
    throw error;
  }
}

/** How a record was created is kept, without the response: while this tab is open, and until `forgetCreation`. */
const KEPT_MS = 5 * 60_000;
const toStorageKey = (path: string) => `frontdesk created ${path}`;

export function forgetCreation(path: string): void {
  sessionStorage.removeItem(toStorageKey(path));
}

/** Returns the response to the last creation again, which may have a secret, for five minutes; then null. */
export async function repeatCreation<T>(path: string): Promise<T | null> {
  const { body, key, until } = JSON.parse(sessionStorage.getItem(toStorageKey(path)) ?? '{"until":0}');
  if (until > Date.now())
    try {
      return await postOnce<T>(path, body, key);
    } catch {
      // Another session, or one that has ended: the record can get a new secret.
    }
  forgetCreation(path);
  return null;
}

/** Whether nothing was created. The session may have ended while an earlier request was processed. */
function isFinal({ status, code }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && code !== 'idempotency_key_in_use';
}
