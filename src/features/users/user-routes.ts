/** Administration of single users. */
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { ifMatch } from '../../lib/routes/preconditions.ts';
import { describeEmpty, describeResponse } from '../../plugins/openapi/describe-response.ts';
import type { AccountDeps } from './accounts/account-deps.ts';
import { eraseUser } from './accounts/erasure/erase-user.ts';
import { findReceipt } from './accounts/erasure/receipt.ts';
import { exampleReceipt, preferHeader, receiptSchema } from './accounts/erasure/schemas.ts';
import * as examples from './records/examples.ts';
import { parseUserId } from './records/rules.ts';
import * as schemas from './records/schemas.ts';
import { sendUser } from './records/user-responses.ts';
import { updateUser } from './update-user.ts';

const tags = ['User administration'];

const updateUserOperation = {
  operationId: 'updateUser',
  tags,
  summary: 'Update a user',
  description:
    'Changes the given members only, and rejects any others. Disabling a user revokes all of their tokens immediately; a new email counts as not verified. Both revoke the links that were sent to the user.',
  params: schemas.userIdSchema,
  headers: { type: 'object', properties: schemas.ifMatchHeader, required: ['If-Match'] },
  body: { ...schemas.updateUserSchema, examples: [{ level: 'gold', state: 'active' }] },
  response: {
    200: describeResponse(schemas.userRecordSchema, {
      description: 'The record after the change.',
      headers: { ETag: 'Version of the record after the change.' },
      examples: { changed: examples.userResponses.administrator },
    }),
  },
} as const;

const deleteUserOperation = {
  operationId: 'deleteUser',
  tags,
  summary: 'Delete a user',
  description:
    'Deletes the record, its tokens and its activity permanently. With `If-Match`, only if the record still has that version. With `Prefer: return=representation` (RFC 7240), the response is a receipt.',
  params: schemas.userIdSchema,
  headers: { type: 'object', properties: { ...schemas.ifMatchHeader, ...preferHeader } },
  response: {
    200: describeResponse(receiptSchema, {
      description: 'Deleted, with a receipt.',
      headers: { 'Preference-Applied': '`return=representation`' },
      examples: { receipt: { message: 'User erased', data: exampleReceipt } },
    }),
    204: describeEmpty({ description: 'Deleted.' }),
  },
} as const;

export const userChanges: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.patch(
    '/api/v1/users/:id',
    {
      schema: updateUserOperation,
      config: {
        access: 'admin',
        scope: 'users:write',
        problems: [
          'user_not_found',
          'email_taken',
          'version_conflict',
          'precondition_failed',
          'precondition_required',
        ],
      },
    },
    async ({ params, body, headers }, reply) => {
      const update = { id: parseUserId(params.id), changes: body, isExpected: ifMatch(headers) };
      return sendUser(reply, await updateUser(deps, update));
    },
  );

  app.delete(
    '/api/v1/users/:id',
    {
      schema: deleteUserOperation,
      config: { access: 'admin', scope: 'users:write', problems: ['user_not_found', 'precondition_failed'] },
    },
    async ({ params, headers }, reply) => {
      const id = parseUserId(params.id);
      await eraseUser(deps, id, ifMatch(headers));
      if (!/^return=representation$/i.test(String(headers.prefer))) return reply.code(204).send();
      const data = await findReceipt(deps.database, id);
      return reply
        .header('preference-applied', 'return=representation')
        .send({ message: 'User erased', data });
    },
  );
};
