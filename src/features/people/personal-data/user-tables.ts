/**
 * Registry of the tables with any number of rows of a user: rows that an erasure deletes in batches and the export of an
 * account contains, and how long rows are kept. A foreign key deletes what is left when the user is deleted.
 */
import { userScopeRange } from '../../../idempotency/queries.ts';
import { LINK_KINDS } from '../../mail/links/queries.ts';
import { END_STATES } from '../../mail/messages/queries.ts';
import { MAIL_KINDS } from '../../mail/queries.ts';
import { nullableText, nullableTimestamp, text, timestamp } from '../../users/records/member-schemas.ts';
import { SIGN_IN_TABLES, type UserTable } from './sign-in-tables.ts';

const mailKind = { type: 'string', enum: MAIL_KINDS } as const;

/**
 * Messages and links of a change of the email are not exported: whether one exists depends on whether the new address
 * is taken, which its user must not learn.
 */
const WITHOUT_EMAIL_CHANGES = "kind <> 'change_email'";

/** In the order of their deletion. */
export const USER_TABLES: readonly UserTable[] = [
  {
    name: 'idempotency_keys',
    key: 'id',
    contents: 'response to a request with an `Idempotency-Key`, encrypted',
    kept: '24 hours',
    exported: {
      member: 'stored_responses',
      description: 'Encrypted responses to requests with an Idempotency-Key.',
      columns: { route: text, expires_at: timestamp },
      latestFirst: 'expires_at',
      also: {
        // With the conditions of the partial index `idempotency_keys_user_scope`.
        where: "scope >= $1 and scope < $2 and scope <> 'anonymous' and scope <> 'admin'",
        getValues: ({ id }) => userScopeRange(id),
      },
    },
  },
  {
    name: 'known_networks',
    key: 'user_id, network',
    order: 'network',
    contents: 'network of a login, as a keyed hash, with the times of the first and the last login',
    kept: '180 days',
    exported: {
      member: 'known_networks',
      description:
        'The first and last login from each network; only keyed hashes of the networks are stored.',
      columns: {
        first_login_at: {
          ...nullableTimestamp,
          description: 'Null if an earlier release has stored the login.',
        },
        last_login_at: timestamp,
      },
      latestFirst: 'last_login_at',
    },
  },
  {
    name: 'group_members',
    key: 'user_id, group_id',
    order: 'group_id',
    contents: 'group that the user is in',
    kept: 'until the user leaves it, or the group is deleted',
    bound: 'at most 100',
    exported: {
      member: 'group_memberships',
      description: 'Groups that the user is in; `user.groups` has their names.',
      columns: { group_id: text, created_at: timestamp },
    },
  },
  ...SIGN_IN_TABLES,
  {
    name: 'jobs',
    key: 'id',
    contents: 'email that waits to be sent',
    kept: '3 days, a password reset 1 hour',
    exported: {
      member: 'pending_messages',
      description: 'Emails that wait to be sent.',
      columns: {
        kind: mailKind,
        email: { ...text, description: 'The address that it will be sent to.' },
        created_at: timestamp,
        expires_at: timestamp,
      },
      data: {
        new_email: { ...nullableText, description: 'The address that it is about, in a notice of a change.' },
      },
      where: WITHOUT_EMAIL_CHANGES,
      // Messages that were requested for the address.
      also: { where: 'email_key = $1 and user_id is null', getValues: ({ emailKey }) => [emailKey] },
    },
  },
  {
    name: 'mail_messages',
    key: 'id',
    contents: 'email that was sent or was not to be sent, without its text',
    kept: '30 days',
    bound:
      'at most 100 in each state for one address, of the last 30 days; 5 new addresses an hour are accepted',
    exported: {
      member: 'messages',
      description: 'Emails of the last 30 days that were sent or were not to be sent, without their texts.',
      columns: {
        kind: mailKind,
        email: { ...text, description: 'The address of the recipient.' },
        state: { type: 'string', enum: END_STATES },
        created_at: timestamp,
        ended_at: timestamp,
      },
      where: WITHOUT_EMAIL_CHANGES,
    },
  },
  {
    name: 'account_links',
    key: 'hash',
    order: 'kind',
    contents: 'link in an email that was not used yet',
    kept: '7 days',
    bound: 'at most 8 an hour, which expire within a week',
    exported: {
      member: 'pending_links',
      description: 'Links in sent emails.',
      columns: {
        kind: { type: 'string', enum: LINK_KINDS },
        email: { ...text, description: 'The address that it was sent to.' },
        created_at: timestamp,
        expires_at: timestamp,
      },
      where: `${WITHOUT_EMAIL_CHANGES} and kind not like 'used:%'`,
    },
  },
  {
    name: 'form_submissions',
    key: 'form_id, id',
    order: 'form_id',
    contents: 'submission to a form with the token of the user',
    kept: 'as the form says',
    unlinkedWhere: "form_id in (select forms.id from forms where on_erasure = 'unlink')",
    exported: {
      member: 'submissions',
      description: 'Submissions to forms that were sent with a token.',
      columns: {
        form_id: text,
        received_at: timestamp,
        version: { type: 'integer', description: 'Number of the version of the form.' },
        answers: { type: 'object', additionalProperties: true, description: 'Values by label.' },
      },
      latestFirst: 'received_at',
    },
  },
];
