import type { Reader, Tx } from '../../database/database.ts';
import { prepareAll, prepareChange, prepareGet, prepareRun } from '../../database/prepare.ts';

/** A form without its definition. Times in epoch milliseconds. */
export interface FormRow {
  readonly id: string;
  /** That of the draft. */
  readonly title: string;
  readonly state: 'draft' | 'published' | 'closed';
  readonly draft_version: number;
  /** Null if no version was published. */
  readonly published_version: number | null;
  readonly access: 'public' | 'token';
  /** 1 or 0. */
  readonly once: number;
  /** Name of the IANA time zone of its times; null for UTC. */
  readonly time_zone: string | null;
  readonly opens_at: number | null;
  readonly closes_at: number | null;
  readonly max_submissions: number | null;
  /** Null for the default. */
  readonly max_per_minute: number | null;
  readonly retention_days: number | null;
  readonly on_erasure: 'delete' | 'unlink';
  /** JSON array. */
  readonly allowed_origins: string;
  /** JSON object. */
  readonly thanks: string | null;
  /** JSON object. */
  readonly notify: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly revision: number;
}

const CHANGED = [
  ...['title', 'state', 'draft_version', 'published_version', 'access', 'once', 'opens_at', 'closes_at'],
  ...[
    'time_zone',
    'max_submissions',
    'max_per_minute',
    'retention_days',
    'on_erasure',
    'allowed_origins',
    'thanks',
    'notify',
  ],
  ...['updated_at', 'revision'],
];
const COLUMNS = ['id', 'created_at', ...CHANGED];

export const insertForm = prepareRun<FormRow>(
  `insert into forms (${COLUMNS}) values (${COLUMNS.map((name) => `$${name}`)})`,
);

/** Writes a form that the transaction has locked. A maximum counts the submissions again. */
export const updateForm = prepareRun<FormRow>(
  `update forms set accepted = null, ${CHANGED.map((name) => `${name} = $${name}`)} where id = $id`,
);

export const findForm = prepareGet<FormRow, [id: string]>(
  `select ${COLUMNS} from forms where id = $1 and state <> 'deleted'`,
);

/** Returns the form with the definition of its published version, which is null if there is none. */
export const findWithDefinition = prepareGet<FormRow & { readonly definition: string | null }, [id: string]>(`
  select ${COLUMNS},
    (select definition from form_versions where form_id = forms.id and number = published_version) as definition
  from forms where id = $1 and state <> 'deleted'`);

/** Returns the form, which no other transaction changes until the end of this one. */
export const lockForm = prepareGet<FormRow, [id: string], Tx>(
  `update forms set revision = revision where id = $1 and state <> 'deleted' returning ${COLUMNS}`,
);

/** Returns the forms before an id, newest first. */
export const listForms = prepareAll<FormRow, [before: string, limit: number]>(
  `select ${COLUMNS} from forms where id < $1 and state <> 'deleted' order by id desc limit $2`,
);

/** Makes the form absent; its rows are deleted in batches. */
export const markDeleted = prepareRun<[id: string]>("update forms set state = 'deleted' where id = $1");

/** Returns a form whose rows are to be deleted, which no other node does until the end of the transaction. */
export const lockDeletedForm = prepareGet<{ id: string }, [], Tx>(`
  update forms set revision = revision
  where id = (select id from forms where state = 'deleted' order by id limit 1) returning id`);

/** Deletes a form without submissions, and its versions. */
export const deleteFormRow = prepareRun<[id: string]>('delete from forms where id = $1');

export const listFormsWithRetention = prepareAll<{ id: string; retention_days: number }>(
  'select id, retention_days from forms where retention_days is not null order by id',
);

/** Sets the time of the next message about submissions, unless one waits, which announces this submission, too. */
export const startNoticeHour = prepareChange<[id: string, now: number, noticeAt: number]>(
  'update forms set notice_at = $3 where id = $1 and (notice_at is null or notice_at <= $2)',
);

export interface VersionRow {
  readonly number: number;
  /** JSON object. */
  readonly definition: string;
  readonly created_at: number;
  /** Null if it was never published. */
  readonly published_at: number | null;
}

export const insertVersion = prepareRun<[formId: string, number: number, definition: string, now: number]>(
  'insert into form_versions (form_id, number, definition, created_at) values ($1, $2, $3, $4)',
);

const VERSION = 'number, definition, created_at, published_at';

/** Returns a version that exists. */
export async function getVersion(reader: Reader, formId: string, number: number): Promise<VersionRow> {
  return (await findVersion(reader, formId, number))!;
}

export const findVersion = prepareGet<VersionRow, [formId: string, number: number]>(
  `select ${VERSION} from form_versions where form_id = $1 and number = $2`,
);

/** Returns all versions without their definitions, newest first. */
export const listVersions = prepareAll<Omit<VersionRow, 'definition'>, [formId: string]>(
  'select number, created_at, published_at from form_versions where form_id = $1 order by number desc',
);

/** Returns all versions that were ever published, oldest first. */
export const listPublishedVersions = prepareAll<VersionRow, [formId: string]>(
  `select ${VERSION} from form_versions where form_id = $1 and published_at is not null order by number`,
);

export const markPublished = prepareRun<[formId: string, number: number, now: number]>(
  'update form_versions set published_at = coalesce(published_at, $3) where form_id = $1 and number = $2',
);
