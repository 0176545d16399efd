/** What the operator copies into the program: addresses, and code with the values of the application. */
import { useState } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import type { Application } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Facts, LoadState, Panel } from '../../common/components.tsx';
import { Choice } from '../records/controls.tsx';
import { CopiedId } from '../records/copied-id.tsx';
import { useView } from '../session.ts';

/** Metadata of the authorization server. */
type Metadata = Readonly<Record<string, string>>;

const DISCOVERY = '/.well-known/openid-configuration';
const ENDPOINTS: readonly (readonly [name: string, member: string])[] = [
  ['Issuer', 'issuer'],
  ['Authorization', 'authorization_endpoint'],
  ['Token', 'token_endpoint'],
  ['User info', 'userinfo_endpoint'],
  ['Sign-out', 'end_session_endpoint'],
  ['Keys', 'jwks_uri'],
];

const listEndpoints = (metadata: Metadata) =>
  Object.fromEntries(
    ENDPOINTS.map(([name, member]) => [
      name,
      <CopiedId key={member} id={metadata[member]!} name={name.toLowerCase()} />,
    ]),
  );

/** Returns the metadata of this service, and how to load them again. */
export function useMetadata() {
  return useView<Metadata>(DISCOVERY);
}

type ProgramProps = Readonly<{ application: Application; metadata: ReturnType<typeof useMetadata> }>;

export function ProgramFacts({ application, metadata: [loaded, retry] }: ProgramProps) {
  const metadata = loaded.data;
  return (
    <Panel title="For your program" id="program">
      <Facts
        class="addresses"
        facts={{
          'Client id': <CopiedId id={application.id} name="client id" />,
          ...(metadata && listEndpoints(metadata)),
        }}
      />
      <div class="body stack tight">
        <LoadState loaded={loaded} what="the addresses" retry={retry} />
        <p class="small">
          Most libraries need the client id{application.kind === 'web' && ', the secret'} and the issuer only,
          and read the rest from <a href={basePath + DISCOVERY}>its metadata</a>.{' '}
          <a href={`${basePath}/docs/oidc`}>OpenID Connect in detail</a>
        </p>
      </div>
    </Panel>
  );
}

export function ProgramSnippets({ application, metadata: [{ data }] }: ProgramProps) {
  const [chosen, setChosen] = useState<string>();
  if (data === undefined) return null;
  const snippets = createSnippets(application, data.issuer!);
  const { library, code } = snippets.find((each) => each.library === chosen) ?? snippets[0]!;
  return (
    <Panel
      title="Use it in your program"
      id="snippet"
      beside={
        <search class="filters end">
          <Choice
            label="With"
            value={library}
            options={Object.fromEntries(snippets.map((each) => [each.library, each.library]))}
            onChoose={setChosen}
          />
        </search>
      }
      body=""
    >
      <CodeBlock label={library} text={code} />
    </Panel>
  );
}

/** Returns code with the values of the application. A secret is read from the environment. */
function createSnippets({ id, kind, redirect_uris, scopes }: Application, issuer: string) {
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
