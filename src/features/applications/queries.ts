import { sql, type Tx } from '../../database/database.ts';
import {
  prepareAll,
  prepareChange,
  prepareExists,
  prepareGet,
  prepareRun,
  prepareValue,
} from '../../database/prepare.ts';
import type { Algorithm } from '../tokens/signing-keys/queries.ts';
import type { ApplicationKind } from './redirect-uris.ts';

/** An application without its secrets. Times in epoch milliseconds. */
export interface ApplicationRow {
  /** The `client_id`. */
  readonly id: string;
  readonly name: string;
  /** No two applications have the same. */
  readonly name_key: string;
  readonly kind: ApplicationKind;
  /** JSON arrays. */
  readonly redirect_uris: string;
  readonly post_logout_redirect_uris: string;
  /** Scopes of its tokens, separated by spaces. */
  readonly scopes: string;
  /** Null: as long as those of a login. */
  readonly token_lifetime_days: number | null;
  readonly id_token_alg: Algorithm;
  /** The start of the current secret; null without one. */
  readonly first_characters: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly rotated_at: number | null;
  /** Time until which the secret before the last rotation is accepted, too. */
  readonly previous_until: number | null;
  readonly version: number;
}

const COLUMNS = `id, name, name_key, kind, redirect_uris, post_logout_redirect_uris, scopes, token_lifetime_days,
  id_token_alg, first_characters, created_at, updated_at, rotated_at, previous_until, version`;

export const insertApplication = prepareRun<ApplicationRow>(`
  insert into applications (${COLUMNS})
  values ($id, $name, $name_key, $kind, $redirect_uris, $post_logout_redirect_uris, $scopes, $token_lifetime_days,
    $id_token_alg, $first_characters, $created_at, $updated_at, $rotated_at, $previous_until, $version)`);

/** Returns applications after this id, oldest first. */
export const listApplications = prepareAll<ApplicationRow, { after: string; limit: number }>(
  `select ${COLUMNS} from applications where id > $after order by id limit $limit`,
);

export const findApplication = prepareGet<ApplicationRow, [id: string]>(
  `select ${COLUMNS} from applications where id = $1`,
);

/** Returns the redirect URIs of all applications, as JSON arrays. */
export const listRedirectUris = prepareAll<Pick<ApplicationRow, 'redirect_uris'>>(
  'select redirect_uris from applications',
);

export const countApplications = prepareValue<number>('select count(*) as applications from applications');

export const isNameTaken = prepareExists<[nameKey: string, otherThan: string]>(
  'select id from applications where name_key = $1 and id <> $2',
);

/** Updates what the administrator sets, and raises the version. */
export const updateApplication = prepareRun<ApplicationRow>(`
  update applications set name = $name, name_key = $name_key, redirect_uris = $redirect_uris,
    post_logout_redirect_uris = $post_logout_redirect_uris, scopes = $scopes, token_lifetime_days = $token_lifetime_days,
    id_token_alg = $id_token_alg, first_characters = $first_characters, updated_at = $updated_at,
    rotated_at = $rotated_at, previous_until = $previous_until, version = $version
  where id = $id`);

/** Deletes the application, its secrets and its codes. */
export const deleteApplication = prepareChange<[id: string]>('delete from applications where id = $1');

/** Stores the hash of a secret, which is accepted until it is replaced. */
export const insertSecret = prepareRun<[hash: string, applicationId: string]>(
  'insert into application_secrets (hash, application_id) values ($1, $2)',
);

/** Whether the application has this secret at `now`. */
export const hasSecret = prepareExists<[hash: string, applicationId: string, now: number]>(`
  select hash from application_secrets
  where hash = $1 and application_id = $2 and (valid_until is null or valid_until > $3)`);

const DELETE_REPLACED = sql(
  'delete from application_secrets where application_id = $1 and ($2 = 0 or valid_until is not null)',
);
const LIMIT_CURRENT = sql('update application_secrets set valid_until = $2 where application_id = $1');

/** Replaces the secret, which stays valid until then; null: it is invalid at once, as is one that was replaced before. */
export async function replaceSecret(
  tx: Tx,
  {
    id,
    hash,
    previousUntil,
  }: { readonly id: string; readonly hash: string; readonly previousUntil: number | null },
): Promise<void> {
  await tx.run(DELETE_REPLACED, id, previousUntil === null ? 0 : 1);
  if (previousUntil !== null) await tx.run(LIMIT_CURRENT, id, previousUntil);
  await insertSecret(tx, hash, id);
}
