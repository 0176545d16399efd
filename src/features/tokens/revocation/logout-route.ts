/** The route that ends sessions of the user who calls it. */

import { getUserCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { NAME_PREFIXES } from '../../../lib/routes/versioned-names.ts';
import { optionalBody } from '../../../plugins/json-bodies/json-bodies.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import * as schemas from '../schemas.ts';
import { type LogoutScope, logOut } from './log-out.ts';

const LOGGED_OUT: Readonly<Record<LogoutScope, string>> = {
  current: 'Logged out',
  others: 'Logged out of all other sessions',
  all: 'Logged out of all sessions',
};

const logoutOperation = {
  tags: ['Tokens'],
  summary: 'Log out',
  description:
    'Revokes the token of this request, all others of the user, or both, immediately and on every node. Other tokens than that of this request need the scope `tokens:manage`. The body may be absent. Also at `/api/v1/logout`.',
  body: { ...schemas.logoutSchema, examples: [{ scope: 'all' }] },
  response: {
    200: describeResponse(schemas.messageSchema, 'The tokens are revoked.', {
      revoked: { message: LOGGED_OUT.current },
      all: { message: LOGGED_OUT.all },
    }),
  },
} as const;

export const logout: FeaturePlugin<DatabaseDeps> = async (app, deps) => {
  for (const { prefix, idSuffix } of NAME_PREFIXES) {
    app.post(
      `${prefix}/logout`,
      {
        schema: { ...logoutOperation, operationId: `logout${idSuffix}` },
        config: { access: 'user', problems: ['insufficient_scope'] },
        preValidation: optionalBody,
      },
      async (request) => {
        const { scope = 'current' } = request.body;
        await logOut(deps, getUserCaller(request), scope);
        return { message: LOGGED_OUT[scope] };
      },
    );
  }
};
