/** Queued and ended messages, for the administrator. */
import { hasAdminScope } from '../../../callers/admin-scopes.ts';
import { getAdminCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import type { PageStart, Pagination } from '../../../lib/routes/pagination.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { toTime } from '../../../lib/schema/query-parameters.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { defineList, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { createContentSeal } from '../delivery/message.ts';
import type { MailSettings } from '../settings.ts';
import { cancelMessage, retryMessage } from './change-message.ts';
import { countMessages, type MessageFilter } from './queries.ts';
import { findMessage, listMessages, type MessagePosition, renderText } from './read-messages.ts';
import * as schemas from './schemas.ts';
import {
  changedResponse,
  createSubjectFormat,
  examples,
  type mailFilters,
  messageView,
  type SubjectDeps,
} from './schemas.ts';

const tags = ['Mail'];
const path = '/api/v1/admin/mail';

const listMailRoute = {
  schema: {
    operationId: 'listMail',
    tags,
    summary: 'List messages',
    description:
      'Returns the messages in the queue and those that have ended, newest first, in pages. Messages that have ended are kept for 30 days, at most 100 in each state for one address; those to addresses without an account are not kept. The work of a page is bounded: with a part of an address, it may have fewer messages than `limit`, or none, and only `next_cursor` tells whether there are more.',
    ...defineList(
      schemas.mailFilters,
      { $ref: 'Mail' },
      { description: 'A page of messages.', examples: { messages: examples.list } },
    ),
  },
  config: { access: 'admin', scope: 'users:read', problems: ['invalid_filter'] },
} as const;

const getMailRoute = {
  schema: {
    operationId: 'getMail',
    tags,
    summary: 'Get a message',
    description: 'Returns a message with its text, as far as it is known.',
    params: schemas.mailIdSchema,
    response: {
      200: describeResponse(schemas.mailDetailSchema, 'The message.', { message: examples.detail }),
    },
  },
  config: { access: 'admin', scope: 'users:read', problems: ['mail_not_found'] },
} as const;

const countMailRoute = {
  schema: {
    operationId: 'countMail',
    tags,
    summary: 'Count messages',
    description: 'Returns the number of messages in each state, counted up to 1,000 of each.',
    response: {
      200: describeResponse(schemas.mailCountsSchema, 'The numbers.', { counts: examples.counts }),
    },
  },
  config: { access: 'admin', scope: 'users:read' },
} as const;

const retryMailOperation = {
  operationId: 'retryMail',
  tags,
  summary: 'Retry a message',
  description:
    'Sends a message that waits at once. One that has failed or was cancelled gets all attempts of a new one. One that is being sent stays as it is. One that was sent or dropped is not sent again: send the user another link instead.',
  params: schemas.mailIdSchema,
  response: {
    202: describeResponse(schemas.mailResponseSchema, 'The message, whose attempt follows.', {
      message: examples.retried,
    }),
  },
} as const;

const cancelMailOperation = {
  operationId: 'cancelMail',
  tags,
  summary: 'Cancel a message',
  description: 'Removes a message from the queue, unless it is being sent.',
  params: schemas.mailIdSchema,
  response: {
    200: describeResponse(schemas.mailResponseSchema, 'The message, which is not sent.', {
      message: examples.cancelled,
    }),
  },
} as const;

interface MailRouteDeps extends SubjectDeps, DatabaseDeps {
  readonly pagination: Pagination;
  readonly publicUrl: string;
  readonly secretKey: string;
  readonly mail: MailSettings;
}

export const mailMessages: FeaturePlugin<MailRouteDeps> = async (app, deps) => {
  const { database, clock, pagination, mail, secretKey } = deps;

  app.get(path, listMailRoute, async ({ query }, reply) => {
    const filter = toMessageFilter(query);
    const { rows, next_cursor } = await pagination.readPage(reply, {
      query,
      path,
      scope: `messages:${JSON.stringify(filter)}`,
      read: (start: PageStart<MessagePosition>) => listMessages(database, { ...start, filter, now: clock() }),
    });
    const formatSubject = await createSubjectFormat(deps);
    const data = rows.map((message) => messageView(message, formatSubject));
    return { message: 'Messages list', data, next_cursor };
  });

  app.get(`${path}/counts`, countMailRoute, async () => {
    const data = (await countMessages(database, { now: clock(), limit: schemas.MAX_COUNT }))!;
    return { message: 'Mail counts', data };
  });

  const contents = mail.toLog ? createContentSeal(secretKey) : null;

  app.get(`${path}/:id`, getMailRoute, async (request) => {
    const message = await findMessage(database, request.params.id, clock());
    // Whoever has the link of a message can take over the account.
    const isOwner = hasAdminScope(getAdminCaller(request).credential.scopes, 'admin');
    const textDeps = { ...deps, contents: isOwner ? contents : null };
    const { text = null, link = null } = (await renderText(database, textDeps, message)) ?? {};
    return {
      message: `Message ${message.id}`,
      data: { ...messageView(message, await createSubjectFormat(deps)), text, link },
    };
  });

  await app.register(messageChanges, deps);
};

const CHANGES = [
  { action: 'retry', schema: retryMailOperation, change: retryMessage, status: 202 },
  { action: 'cancel', schema: cancelMailOperation, change: cancelMessage, status: 200 },
] as const;

const changeConfig = {
  access: 'admin',
  scope: 'links:send',
  idempotent: true,
  problems: ['mail_not_found', 'mail_state_conflict'],
} as const;

const messageChanges: FeaturePlugin<MailRouteDeps> = async (app, deps) => {
  for (const { action, schema, change, status } of CHANGES) {
    app.post(`${path}/:id/${action}`, { schema, config: changeConfig }, ({ params }, reply) =>
      reply.sendOnce(async () => {
        const formatSubject = await createSubjectFormat(deps);
        return {
          store: async (tx) => changedResponse(status, await change(deps, tx, params.id), formatSubject),
        };
      }),
    );
  }
};

type FilterQuery = SchemaValue<{ type: 'object'; properties: typeof mailFilters }>;

/** Returns the filter of a validated query. */
function toMessageFilter({ state, recipient, from, to }: FilterQuery): MessageFilter {
  return {
    state: state ?? null,
    recipient: recipient === undefined ? null : normalizeEmail(recipient),
    from: toTime(from),
    to: toTime(to),
  };
}
