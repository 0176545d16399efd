/** Operations that return the secret of a credential. */

import { getAdminCaller } from '../../callers/callers.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { optionalBody } from '../../plugins/bodies/json-bodies.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { type CredentialDeps, createCredential } from './create-credential.ts';
import { newCredentialResponse } from './credential-view.ts';
import * as examples from './examples.ts';
import { rotateCredential } from './rotate-credential.ts';
import { DEFAULT_OVERLAP_SECONDS, parseCredentialId } from './rules.ts';
import {
  createCredentialSchema,
  credentialIdSchema,
  newCredentialSchema,
  rotateCredentialSchema,
} from './schemas.ts';

const tags = ['Credentials'];

const createCredentialRoute = {
  schema: {
    operationId: 'createCredential',
    tags,
    summary: 'Create a credential',
    description:
      'For a program that administers the service, with a name and no more scopes than it needs. People sign in to the console as users with a role. At most 200.',
    body: { ...createCredentialSchema, examples: [examples.newCredential] },
    response: {
      201: describeResponse(newCredentialSchema, {
        description: 'The credential and its secret, which cannot be read again.',
        headers: { Location: 'URL of the credential.' },
        examples: { created: examples.created },
      }),
    },
  },
  config: {
    access: 'admin',
    scope: 'admin',
    recentSignIn: 'always',
    idempotent: true,
    problems: ['credential_name_taken', 'too_many_credentials'],
  },
} as const;

const rotateCredentialRoute = {
  schema: {
    operationId: 'rotateCredential',
    tags,
    summary: 'Rotate a credential',
    description:
      'Replaces the secret; name, scopes, networks and expiry stay. The replaced secret is accepted for the `overlap`. A further rotation in this time ends the validity of the oldest of the three secrets at once.',
    params: credentialIdSchema,
    body: { ...rotateCredentialSchema, examples: [{ overlap: 3_600 }] },
    response: {
      200: describeResponse(
        newCredentialSchema,
        'The credential and its new secret, which cannot be read again.',
        { rotated: examples.rotated },
      ),
    },
  },
  config: {
    access: 'admin',
    scope: 'admin',
    recentSignIn: 'always',
    idempotent: true,
    problems: ['credential_not_found', 'credential_expired'],
  },
  preValidation: optionalBody,
} as const;

export const newCredentials: FeaturePlugin<CredentialDeps> = async (app, deps) => {
  app.post('/api/v1/credentials', createCredentialRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const caller = getAdminCaller(request).credential;
      const { name, scopes, expires_at: expiresAt = null, networks = null } = request.body;
      return {
        store: async (tx) => {
          const created = await createCredential(deps, tx, { caller, name, scopes, expiresAt, networks });
          const message = 'Credential created';
          return newCredentialResponse(created, { status: 201, message, caller, now: deps.clock() });
        },
      };
    }),
  );

  app.post('/api/v1/credentials/:id/rotate', rotateCredentialRoute, (request, reply) =>
    reply.sendOnce(async () => {
      const caller = getAdminCaller(request).credential;
      const { overlap: overlapSeconds = DEFAULT_OVERLAP_SECONDS } = request.body;
      return {
        store: async (tx) => {
          const id = parseCredentialId(request.params.id);
          const rotated = await rotateCredential(deps, tx, { caller, id, overlapSeconds });
          const message = 'Credential rotated';
          return newCredentialResponse(rotated, { status: 200, message, caller, now: deps.clock() });
        },
      };
    }),
  );
};
