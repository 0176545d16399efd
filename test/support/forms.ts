/** Forms of the tests. */
import assert from 'node:assert/strict';
import { sql } from '../../src/database/database.ts';
import { newId } from '../../src/lib/secrets/ids.ts';
import { admin, editor, type TestService } from './service.ts';

export const FORMS = '/api/v1/forms';

export const NAME_FIELD = { label: 'full_name', type: 'text', is_required: true };

export type StoredForm = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly revision: number;
};

/** Creates a form, a draft. */
export async function createTestForm(
  { api }: Pick<TestService, 'api'>,
  members: object = {},
): Promise<StoredForm> {
  const form = { title: 'Contact', fields: [NAME_FIELD], ...members };
  const { status, body, text } = await api.post(FORMS, form, admin);
  assert.equal(status, 201, text);
  return body.data;
}

/** Creates and publishes a form, and returns its path. */
export async function publishTestForm(
  service: Pick<TestService, 'api'>,
  members: object = {},
): Promise<string> {
  const path = `${FORMS}/${(await createTestForm(service, members)).id}`;
  assert.equal((await service.api.post(`${path}/publish`, undefined, admin)).status, 200);
  return path;
}

/** Replaces the draft and publishes it. */
export async function publishNextVersion({ api }: TestService, path: string, form: object): Promise<void> {
  const changed = await api.put(path, form, editor);
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await api.post(`${path}/publish`, undefined, admin)).status, 200);
}

const INSERT = sql(`
  insert into form_submissions (id, form_id, version, received_at, held, held_reason, user_id, answers)
  values ($1, $2, $3, $4, $5, $6, null, $7)`);

/** Stores submissions directly, a millisecond apart. */
export async function insertTestSubmissions(
  { service }: TestService,
  path: string,
  {
    answers,
    start = Date.now() - 1_000_000,
    held = 0,
  }: { readonly answers: readonly object[]; readonly start?: number; readonly held?: 0 | 1 },
): Promise<void> {
  const formId = path.slice(`${FORMS}/`.length);
  await service.database.transaction(async (tx) => {
    for (const [index, one] of answers.entries())
      await tx.run(
        INSERT,
        newId(),
        formId,
        1,
        start + index,
        held,
        held === 1 ? 'too_many' : null,
        JSON.stringify(one),
      );
  });
}
