import type { Reader, Tx } from '../../database/database.ts';
import {
  prepareAll,
  prepareChange,
  prepareExists,
  prepareGet,
  prepareRun,
  prepareValue,
} from '../../database/prepare.ts';
import { isId } from '../../lib/secrets/ids.ts';
import type { Algorithm } from '../people/tokens/signing-keys/queries.ts';
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
  /** JSON array: audiences for which its tokens may get a JSON Web Token. */
  readonly jwt_audiences: string;
  readonly id_token_alg: Algorithm;
  /** 1 or 0: whether it has to use PKCE although it has a secret. */
  readonly require_pkce: number;
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
  jwt_audiences, id_token_alg, require_pkce, first_characters, created_at, updated_at, rotated_at, previous_until,
  version`;

export const insertApplication = prepareRun<ApplicationRow>(`
  insert into applications (${COLUMNS})
  values ($id, $name, $name_key, $kind, $redirect_uris, $post_logout_redirect_uris, $scopes, $token_lifetime_days,
    $jwt_audiences, $id_token_alg, $require_pkce, $first_characters, $created_at, $updated_at, $rotated_at,
    $previous_until, $version)`);

/** Returns all applications, oldest first. */
export const listApplications = prepareAll<ApplicationRow>(`select ${COLUMNS} from applications order by id`);

const find = prepareGet<ApplicationRow, [id: string]>(`select ${COLUMNS} from applications where id = $1`);

/** Returns undefined also for a text that cannot be an id, which saves a query. */
export async function findApplication(reader: Reader, id = ''): Promise<ApplicationRow | undefined> {
  return isId(id) ? find(reader, id) : undefined;
}

export const countApplications = prepareValue<number>('select count(*) as applications from applications');

export const isNameTaken = prepareExists<[nameKey: string, otherThan: string]>(
  'select id from applications where name_key = $1 and id <> $2',
);

export const updateApplication = prepareRun<ApplicationRow>(`
  update applications set name = $name, name_key = $name_key, redirect_uris = $redirect_uris,
    post_logout_redirect_uris = $post_logout_redirect_uris, scopes = $scopes, token_lifetime_days = $token_lifetime_days,
    jwt_audiences = $jwt_audiences, id_token_alg = $id_token_alg, require_pkce = $require_pkce,
    first_characters = $first_characters, updated_at = $updated_at,
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

const deleteReplaced = prepareRun<[applicationId: string]>(
  'delete from application_secrets where application_id = $1 and valid_until is not null',
);
const limitCurrent = prepareRun<[applicationId: string, validUntil: number]>(
  'update application_secrets set valid_until = $2 where application_id = $1',
);

/** Limits the validity of the current secret, and deletes one that was replaced before. */
export async function limitSecrets(tx: Tx, id: string, validUntil: number): Promise<void> {
  await deleteReplaced(tx, id);
  await limitCurrent(tx, id, validUntil);
}
