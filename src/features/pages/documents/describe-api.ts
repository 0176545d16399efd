/** OpenAPI description of the API: title, introduction and tags. The rest comes from the routes. */
import { readVersion } from '../../../lib/files.ts';
import type { OpenApiOptions } from '../../../plugins/openapi/openapi.ts';
import { applicationSchema } from '../../applications/application.ts';
import { credentialSchema } from '../../credentials/credential.ts';
import { describeWebhooks, eventSchemas, webhookPathItems } from '../../events/schemas.ts';
import { formSchema } from '../../forms/form-responses.ts';
import { submissionSchema } from '../../forms/submissions/submission.ts';
import { groupSchema } from '../../groups/group.ts';
import { identityProviderSchema } from '../../identity-providers/provider.ts';
import { mailSchema } from '../../mail/messages/schemas.ts';
import { settingSchema } from '../../operation/configuration/schemas.ts';
import { tokenSchema } from '../../people/tokens/schemas.ts';
import { verifiedTokenSchema } from '../../people/tokens/verify-route.ts';
import { userSchema } from '../../users/records/schemas.ts';
import { webhookSchemas } from '../../webhooks/deliveries/delivery.ts';

const TAGS = {
  Accounts: 'Registration, login and the current user.',
  Tokens: 'Access tokens of the current user.',
  Verification: 'Checks of tokens for the services that accept them, by a request or by signature.',
  Users: 'User records, for every caller: anyone may create an unclaimed one.',
  'User administration': 'Changes to user records, their tokens and links, for the administrator.',
  Groups: 'Groups of users, which decide who may use which application, for the administrator.',
  Events: 'What has happened: the audit log, and a feed for programs.',
  Mail: 'Messages to users, for the administrator.',
  Webhooks: 'Endpoints that receive events, for the administrator.',
  'Identity providers': 'Providers with which people sign in, for the administrator.',
  Credentials: 'Named credentials of people and programs that administer the service.',
  Applications: 'Programs to which people sign in with OpenID Connect, for the administrator.',
  'Sign-in of applications': 'OpenID Connect: the endpoints that applications use.',
  Administration: 'Figures, events and the state of the service, for the administrator.',
  Forms: 'Validation of form-field definitions.',
  Operation: 'Health probes for load balancers and orchestrators.',
};

export function describeApi(publicUrl: string): OpenApiOptions {
  return {
    title: 'Frontdesk',
    version: readVersion(),
    description: introduction(publicUrl),
    publicUrl,
    tags: TAGS,
    webhooks: describeWebhooks(),
    pathItems: webhookPathItems,
  };
}

function introduction(publicUrl: string): string {
  return [
    'Accounts, tokens and forms for your application.',
    `Request and response bodies are JSON in UTF-8; a request body has at most 64 KiB and 1,000 members, that of the form-field validation 1 MiB. Every error response has a text for people in \`error\` and a stable \`code\` for programs ([all codes](${publicUrl}/docs/problems)). With \`Accept: application/problem+json\` it is a problem of RFC 9457.`,
    'Send a token as `Authorization: Bearer <token>`. A wrong or expired token is rejected with 401 wherever credentials are read, even where none is required.',
    `A server that sends requests for its clients names them with a credential in \`Frontdesk-Credential\`, and every operation may then respond with 401, 403 and 429 to that credential ([forwarding](${publicUrl}/docs/forwarding)).`,
    'Text is well-formed Unicode: unpaired surrogates are rejected everywhere, and U+0000 everywhere but in passwords.',
  ].join('\n\n');
}

export const SHARED_SCHEMAS = [
  userSchema,
  tokenSchema,
  verifiedTokenSchema,
  ...webhookSchemas,
  mailSchema,
  settingSchema,
  ...eventSchemas,
  credentialSchema,
  formSchema,
  submissionSchema,
  applicationSchema,
  groupSchema,
  identityProviderSchema,
] as const;
