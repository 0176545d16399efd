/** Code by which programs use an application. */
import type { Application } from '../../common/api-types.ts';

export interface Snippet {
  readonly library: string;
  readonly code: string;
}

/** Returns code with the values of the application. A secret is read from the environment. */
export function createSnippets(
  { id, kind, redirect_uris, scopes }: Application,
  issuer: string,
): readonly Snippet[] {
  const quote = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const requested = quote(['openid email profile', ...scopes].join(' '));
  const isWeb = kind === 'web';
  const openidClient = `import * as client from 'openid-client';

const config = await client.discovery(
  new URL(${quote(issuer)}),
  ${quote(id)},${isWeb ? '\n  process.env.FRONTDESK_SECRET,' : ''}
);

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: ${quote(redirect_uris[0] ?? '')},
  scope: ${requested},
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});`;
  const authJs = `import NextAuth from ${quote('next-auth')};

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'frontdesk',
      name: 'Frontdesk',
      type: 'oidc',
      issuer: ${quote(issuer)},
      clientId: ${quote(id)},
      clientSecret: process.env.FRONTDESK_SECRET,
    },
  ],
});`;
  return [
    ...(isWeb ? [{ library: 'Auth.js', code: authJs }] : []),
    { library: 'openid-client', code: openidClient },
  ];
}
