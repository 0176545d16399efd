import { type Reader, sql, type Tx } from '../../database/database.ts';
import type { FormSettings } from './definitions/read-form.ts';

export type FormState = 'draft' | 'published' | 'closed';

/** A form without its definition. Times in epoch milliseconds. */
export interface FormRow
  extends Pick<
    FormSettings,
    'access' | 'opens_at' | 'closes_at' | 'max_submissions' | 'retention_days' | 'on_erasure'
  > {
  readonly id: string;
  /** That of the draft. */
  readonly title: string;
  readonly state: FormState;
  readonly draft_version: number;
  /** Null if no version was published. */
  readonly published_version: number | null;
  /** 1 or 0. */
  readonly once: number;
  /** JSON array. */
  readonly allowed_origins: string;
  /** JSON object. */
  readonly thanks: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly revision: number;
}

const CHANGED = [
  ...['title', 'state', 'draft_version', 'published_version', 'access', 'once', 'opens_at', 'closes_at'],
  ...['max_submissions', 'retention_days', 'on_erasure', 'allowed_origins', 'thanks', 'updated_at'],
  'revision',
] as const satisfies readonly (keyof FormRow)[];

const COLUMNS = ['id', 'created_at', ...CHANGED] as const;
const SELECTED = COLUMNS.join(', ');

const INSERT = sql(
  `insert into forms (${SELECTED}) values (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})`,
);

export async function insertForm(tx: Tx, form: FormRow): Promise<void> {
  await tx.run(INSERT, ...COLUMNS.map((name) => form[name]));
}

const UPDATE = sql(
  `update forms set ${CHANGED.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
);

/** Writes a form that the transaction has locked. */
export async function updateForm(tx: Tx, form: FormRow): Promise<void> {
  await tx.run(UPDATE, form.id, ...CHANGED.map((name) => form[name]));
}

const FIND = sql<FormRow>(`select ${SELECTED} from forms where id = $1 and state <> 'deleted'`);

export function findForm(reader: Reader, id: string): Promise<FormRow | undefined> {
  return reader.get(FIND, id);
}

const LOCK = sql<FormRow>(
  `update forms set revision = revision where id = $1 and state <> 'deleted' returning ${SELECTED}`,
);

/** Returns the form, which no other transaction changes until the end of this one. */
export function lockForm(tx: Tx, id: string): Promise<FormRow | undefined> {
  return tx.get(LOCK, id);
}

const LIST = sql<FormRow>(`
  select ${SELECTED} from forms where id < $1 and state <> 'deleted' order by id desc limit $2`);

/** Returns the forms before an id, newest first. */
export function listForms(reader: Reader, before: string | null, limit: number): Promise<FormRow[]> {
  // Ids are hexadecimal.
  return reader.all(LIST, before ?? 'g', limit);
}

const MARK_DELETED = sql("update forms set state = 'deleted' where id = $1");

/** Makes the form absent; its rows are deleted in batches. */
export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx.run(MARK_DELETED, id);
}

const LOCK_DELETED = sql<{ id: string }>(`
  update forms set revision = revision
  where id = (select id from forms where state = 'deleted' order by id limit 1) returning id`);

/** Returns a form whose rows are to be deleted, which no other node does until the end of the transaction. */
export function lockDeletedForm(tx: Tx): Promise<{ id: string } | undefined> {
  return tx.get(LOCK_DELETED);
}

const DELETE = sql("delete from forms where id = $1 and state = 'deleted'");

/** Deletes the row of a form without submissions, and its versions. */
export async function deleteFormRow(tx: Tx, id: string): Promise<void> {
  await tx.run(DELETE, id);
}

const WITH_RETENTION = sql<{ id: string; retention_days: number }>(
  'select id, retention_days from forms where retention_days is not null order by id',
);

export function listFormsWithRetention(reader: Reader) {
  return reader.all(WITH_RETENTION);
}

/** A version of a form. */
export interface VersionRow {
  readonly number: number;
  /** JSON object. */
  readonly definition: string;
  readonly created_at: number;
  /** Null if it was never published. */
  readonly published_at: number | null;
}

const VERSION = 'number, definition, created_at, published_at';
const INSERT_VERSION = sql(`
  insert into form_versions (form_id, number, definition, created_at) values ($1, $2, $3, $4)`);

export async function insertVersion(
  tx: Tx,
  formId: string,
  { number, definition, created_at }: Omit<VersionRow, 'published_at'>,
): Promise<void> {
  await tx.run(INSERT_VERSION, formId, number, definition, created_at);
}

const FIND_VERSION = sql<VersionRow>(
  `select ${VERSION} from form_versions where form_id = $1 and number = $2`,
);

export function findVersion(reader: Reader, formId: string, number: number): Promise<VersionRow | undefined> {
  return reader.get(FIND_VERSION, formId, number);
}

const LIST_VERSIONS = sql<Omit<VersionRow, 'definition'>>(`
  select number, created_at, published_at from form_versions where form_id = $1 order by number desc`);

/** Returns all versions without their definitions, newest first. */
export function listVersions(reader: Reader, formId: string): Promise<Omit<VersionRow, 'definition'>[]> {
  return reader.all(LIST_VERSIONS, formId);
}

const PUBLISHED = sql<VersionRow>(`
  select ${VERSION} from form_versions where form_id = $1 and published_at is not null order by number`);

/** Returns all versions that were ever published, oldest first. */
export function listPublishedVersions(reader: Reader, formId: string): Promise<VersionRow[]> {
  return reader.all(PUBLISHED, formId);
}

const MARK_PUBLISHED = sql(`
  update form_versions set published_at = coalesce(published_at, $3) where form_id = $1 and number = $2`);

export async function markPublished(
  tx: Tx,
  formId: string,
  { number, now }: { readonly number: number; readonly now: number },
): Promise<void> {
  await tx.run(MARK_PUBLISHED, formId, number, now);
}
