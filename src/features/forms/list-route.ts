/** The list of forms. */
import type { Database } from '../../database/database.ts';
import type { FeaturePlugin } from '../../lib/routes/feature-plugin.ts';
import { type PageStart, type Pagination, toPage } from '../../lib/routes/pagination.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { defineList } from '../../plugins/openapi/define-list.ts';
import * as examples from './form-examples.ts';
import { listedFormView } from './form-responses.ts';
import { listForms } from './queries.ts';
import { listedFormSchema } from './response-schemas.ts';

const listFormsOperation = {
  operationId: 'listForms',
  tags: ['Forms'],
  summary: 'List forms',
  description: 'Returns the forms without their fields, newest first, in pages.',
  ...defineList({}, listedFormSchema, {
    description: 'A page of forms.',
    examples: { forms: examples.list },
  }),
} as const;

export interface FormRouteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly pagination: Pagination;
}

export const formList: FeaturePlugin<FormRouteDeps> = async (app, { database, pagination }) => {
  app.get(
    '/api/v1/forms',
    {
      schema: listFormsOperation,
      config: { access: 'admin', scope: 'forms:read', problems: ['invalid_limit', 'invalid_cursor'] },
    },
    async ({ query }, reply) => {
      const { rows, next_cursor } = await pagination.readPage(reply, {
        query,
        path: '/api/v1/forms',
        scope: 'forms',
        read: async ({ after, limit }: PageStart<string>) =>
          toPage(await listForms(database, after, limit + 1), limit, ({ id }) => id),
      });
      return { message: 'Forms list', data: rows.map(listedFormView), next_cursor };
    },
  );
};
