/** The clients, as data: how each is started, and its settings, beginning with the defaults. */

export interface Attempt {
  /** For the table; absent for the defaults. */
  readonly text?: string;
  readonly settings?: object;
  /** Members of the application that differ. */
  readonly application?: object;
}

export interface Client {
  readonly name: string;
  /** An npm package of package.json, or one of Debian, which has to be installed. */
  readonly npm?: string;
  readonly debian?: string;
  readonly kind?: 'web' | 'public';
  /** Further members of its application. */
  readonly application?: object;
  /** `lines`: a library; `site`: a program with pages; `page`: a library in a browser. */
  readonly protocol: 'lines' | 'site' | 'page';
  readonly program?: readonly string[];
  readonly callback?: string;
  /** Paths of a site. */
  readonly login?: string;
  readonly logout?: string;
  /** Whether the program itself waits for the callback. */
  readonly follows?: true;
  /** What is tried after the defaults. */
  readonly attempts?: readonly Attempt[];
  /** Why it works with nothing, if it does not. */
  readonly reason?: string;
}

const node = (file: string, ...more: string[]) => ['node', `${file}.mjs`, ...more];
const python = (file: string) => ['/usr/bin/python3', `${file}.py`];
const NONCE: Attempt = { text: 'a `nonce` among the further parameters', settings: { nonce: 'a-nonce' } };

export const clients: readonly Client[] = [
  { name: 'openid-client 6', npm: 'openid-client', protocol: 'lines', program: node('openid-client-6') },
  { name: 'openid-client 5', npm: 'openid-client-5', protocol: 'lines', program: node('openid-client-5') },
  {
    name: 'openid-client 6, device grant',
    npm: 'openid-client',
    kind: 'public',
    application: { device: true },
    protocol: 'lines',
    program: node('openid-client-device'),
    follows: true,
  },
  { name: 'oauth4webapi', npm: 'oauth4webapi', protocol: 'lines', program: node('oauth4webapi') },
  {
    name: 'express-openid-connect',
    npm: 'express-openid-connect',
    protocol: 'site',
    program: node('express-openid-connect'),
    logout: '/logout',
    attempts: [
      {
        text: "`clientSecret`, `authorizationParams: { response_type: 'code' }`: its default is the implicit flow",
        settings: { authorizationParams: { response_type: 'code', scope: 'openid email profile' } },
      },
    ],
  },
  {
    name: '@auth/core',
    npm: '@auth/core',
    protocol: 'site',
    program: node('auth-core'),
    callback: '/auth/callback/frontdesk',
  },
  {
    name: 'Better Auth',
    npm: 'better-auth',
    protocol: 'site',
    program: node('better-auth'),
    callback: '/api/auth/callback/frontdesk',
  },
  {
    name: 'passport-openidconnect',
    npm: 'passport-openidconnect',
    protocol: 'site',
    program: node('passport', 'passport-openidconnect'),
    attempts: [{ text: "`nonce: 'nonce'`", settings: { nonce: 'nonce' } }],
  },
  {
    name: 'passport-oauth2',
    npm: 'passport-oauth2',
    protocol: 'site',
    program: node('passport', 'passport-oauth2'),
    attempts: [{ text: '`pkce: true, state: true`', settings: { pkce: true, state: true } }],
  },
  {
    name: 'Grant',
    npm: 'grant',
    protocol: 'site',
    program: node('grant'),
    callback: '/connect/frontdesk/callback',
    login: '/connect/frontdesk',
    attempts: [{ text: '`pkce: true`', settings: { pkce: true } }],
  },
  {
    name: 'hapi Bell',
    npm: '@hapi/bell',
    protocol: 'site',
    program: node('bell'),
    callback: '/login',
    attempts: [{ text: "`pkce: 'S256'` of the provider", settings: { pkce: 'S256' } }],
  },
  {
    name: '@fastify/oauth2',
    npm: '@fastify/oauth2',
    protocol: 'site',
    program: node('fastify-oauth2'),
    attempts: [{ text: "`pkce: 'S256'`", settings: { pkce: 'S256' } }],
  },
  {
    name: '@hono/oidc-auth',
    npm: '@hono/oidc-auth',
    protocol: 'site',
    program: node('hono-oidc-auth'),
    logout: '/logout',
    attempts: [
      { text: '`OIDC_SCOPES: openid email profile`', settings: { OIDC_SCOPES: 'openid email profile' } },
    ],
  },
  { name: 'Arctic', npm: 'arctic', protocol: 'lines', program: node('arctic') },
  {
    name: 'simple-oauth2',
    npm: 'simple-oauth2',
    protocol: 'lines',
    program: node('simple-oauth2'),
    attempts: [NONCE],
  },
  {
    name: '@badgateway/oauth2-client',
    npm: '@badgateway/oauth2-client',
    protocol: 'lines',
    program: node('badgateway'),
  },
  {
    name: 'client-oauth2',
    npm: 'client-oauth2',
    protocol: 'lines',
    program: node('client-oauth2'),
    attempts: [NONCE],
  },
  {
    name: 'remix-auth-oauth2',
    npm: 'remix-auth-oauth2',
    protocol: 'lines',
    program: node('remix-auth-oauth2'),
  },
  {
    name: 'AppAuth-JS',
    npm: '@openid/appauth',
    kind: 'public',
    protocol: 'page',
    program: ['appauth.mjs'],
    attempts: [
      {
        text: 'query string utilities that read the query instead of the fragment',
        settings: { query: true },
      },
    ],
  },
  {
    name: 'oidc-client-ts',
    npm: 'oidc-client-ts',
    kind: 'public',
    protocol: 'page',
    program: ['oidc-client-ts.mjs'],
  },
  {
    name: 'oidc-client (deprecated)',
    npm: 'oidc-client',
    kind: 'public',
    protocol: 'page',
    program: ['oidc-client.mjs'],
    attempts: [
      {
        text: "`response_type: 'code'`: its default is the implicit flow",
        settings: { response_type: 'code' },
      },
    ],
  },
  {
    name: '@axa-fr/oidc-client',
    npm: '@axa-fr/oidc-client',
    kind: 'public',
    protocol: 'page',
    program: ['axa-fr.mjs'],
  },
  {
    name: 'okta-auth-js',
    npm: '@okta/okta-auth-js',
    kind: 'public',
    protocol: 'page',
    program: ['okta-auth-js.mjs'],
    attempts: [
      {
        text: '`authorizeUrl`, `tokenUrl`, `userinfoUrl`, `revokeUrl`, `logoutUrl`: it does not read those of the metadata',
        settings: { endpoints: true },
      },
    ],
  },
  {
    name: 'keycloak-js',
    npm: 'keycloak-js',
    kind: 'public',
    protocol: 'page',
    program: ['keycloak-js.mjs'],
    attempts: [
      {
        text: "`responseMode: 'query', checkLoginIframe: false`",
        settings: { responseMode: 'query', checkLoginIframe: false },
      },
    ],
    reason: 'it reads access tokens as JSON Web Tokens, and those of Frontdesk are opaque',
  },
  { name: 'Authlib (Flask)', debian: 'python3-authlib', protocol: 'site', program: python('authlib_flask') },
  {
    name: 'requests-oauthlib',
    debian: 'python3-requests-oauthlib',
    protocol: 'lines',
    program: python('requests_oauthlib_lines'),
    attempts: [{ text: '`authorization_url(…, nonce=…)`', settings: { nonce: 'a-nonce' } }],
  },
  {
    name: 'aiohttp-oauthlib',
    debian: 'python3-aiohttp-oauthlib',
    protocol: 'lines',
    program: python('aiohttp_oauthlib_lines'),
    attempts: [{ text: '`authorization_url(…, nonce=…)`', settings: { nonce: 'a-nonce' } }],
  },
  {
    name: 'Python Social Auth',
    debian: 'python3-social-auth-core',
    protocol: 'lines',
    program: python('social_core_lines'),
  },
  {
    name: 'go-oidc with x/oauth2',
    debian: 'golang-github-coreos-go-oidc-dev',
    protocol: 'lines',
    program: ['./go-oidc'],
    attempts: [
      { text: '`oidc.Nonce(…)` among the options of `AuthCodeURL`', settings: { nonce: 'a-nonce' } },
    ],
  },
  {
    name: 'OmniAuth OpenID Connect',
    debian: 'ruby-omniauth-openid-connect',
    protocol: 'site',
    program: ['ruby', 'omniauth.rb'],
    callback: '/auth/frontdesk/callback',
    login: '/auth/frontdesk',
    logout: '/auth/frontdesk/logout',
  },
  {
    name: 'OAuth2 (Ruby)',
    debian: 'ruby-oauth2',
    protocol: 'lines',
    program: ['ruby', 'oauth2_lines.rb'],
    attempts: [NONCE],
  },
  {
    name: 'Mojolicious::Plugin::OAuth2',
    debian: 'libmojolicious-plugin-oauth2-perl',
    protocol: 'site',
    program: ['/usr/bin/perl', 'mojolicious.pl'],
    callback: '/login',
    attempts: [
      {
        text: "`authorize_query => { response_type => 'code', nonce => … }`",
        settings: { response_type: 'code', nonce: 'a-nonce' },
      },
    ],
  },
  {
    name: 'LWP::Authen::OAuth2',
    debian: 'liblwp-authen-oauth2-perl',
    protocol: 'lines',
    program: ['/usr/bin/perl', 'lwp-authen-oauth2.pl'],
    attempts: [
      {
        text: '`is_strict => 0` and `authorization_url(nonce => …)`',
        settings: { nonce: 'a-nonce', strict: { is_strict: 0 } },
      },
    ],
  },
  {
    name: 'Net::OAuth2',
    debian: 'libnet-oauth2-perl',
    protocol: 'lines',
    program: ['/usr/bin/perl', 'net-oauth2.pl'],
    attempts: [{ text: '`authorize(nonce => …)`', settings: { nonce: 'a-nonce' } }],
  },
  { name: 'httr2 (R)', debian: 'r-cran-httr2', protocol: 'lines', program: ['Rscript', 'httr2.R'] },
  {
    name: 'mod_auth_openidc (Apache)',
    debian: 'libapache2-mod-auth-openidc',
    protocol: 'site',
    program: ['sh', 'mod-auth-openidc.sh'],
    logout: '/callback?logout=',
  },
  {
    name: 'mod_oauth2 (Apache)',
    debian: 'libapache2-mod-oauth2',
    protocol: 'lines',
    program: node('resource', 'apache'),
  },
  {
    name: 'Dovecot',
    debian: 'dovecot-imapd',
    protocol: 'lines',
    program: node('resource', 'dovecot'),
  },
  {
    name: 'oidc-agent',
    debian: 'oidc-agent-cli',
    kind: 'public',
    application: { refresh: true },
    protocol: 'lines',
    program: ['sh', 'oidc-agent.sh'],
    callback: '',
    follows: true,
  },
  {
    name: 'oidc-agent, device grant',
    debian: 'oidc-agent-cli',
    kind: 'public',
    application: { device: true, refresh: true },
    protocol: 'lines',
    program: ['sh', 'oidc-agent.sh', 'device'],
    follows: true,
  },
];
