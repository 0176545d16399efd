/** Gets a token by openid-client and presents it to a server that lets the service introspect it. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as client from 'openid-client';
import {
  BASE,
  CLIENT_ID,
  CLIENT_SECRET,
  endpoint,
  ISSUER,
  PORT,
  REDIRECT_URI,
  readUserinfo,
  run,
  scope,
} from './lines.mjs';

const [, , kind] = process.argv;
const { DIRECTORY, SSL_CERT_FILE } = process.env;
const site = `${DIRECTORY}/${kind}-${PORT}`;
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET);
const pkceCodeVerifier = client.randomPKCECodeVerifier();

const SERVERS = {
  apache: {
    command: ['/usr/sbin/apache2', '-f', `${site}/conf`, '-DFOREGROUND'],
    configuration: `
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authn_core_module /usr/lib/apache2/modules/mod_authn_core.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule authz_user_module /usr/lib/apache2/modules/mod_authz_user.so
LoadModule oauth2_module /usr/lib/apache2/modules/mod_oauth2.so
ServerName localhost
Listen 127.0.0.1:${PORT}
PidFile ${site}/pid
ErrorLog ${site}/error.log
User www-data
Group www-data
DocumentRoot ${site}/www
OAuth2TokenVerify introspect ${endpoint('introspect')} introspect.auth=client_secret_basic&client_id=${CLIENT_ID}&client_secret=${CLIENT_SECRET}&introspect.ssl_verify=false
<Location />
  AuthType oauth2
  Require valid-user
</Location>
`,
    ask: async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      const [good, bad] = [await fetch(`${BASE}/index.html`, { headers }), await fetch(BASE)];
      if (good.status !== 200 || bad.status !== 401)
        throw new Error(`status ${good.status} and ${bad.status}`);
    },
  },
  dovecot: {
    command: ['/usr/sbin/dovecot', '-F', '-c', `${site}/conf`],
    configuration: `
base_dir = ${site}/run
state_dir = ${site}/run
log_path = /dev/stderr
ssl = no
protocols = imap
disable_plaintext_auth = no
auth_mechanisms = oauthbearer xoauth2
mail_location = maildir:${site}/mail/%u
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${PORT}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = oauth2
  mechanisms = oauthbearer xoauth2
  args = ${site}/oauth2.conf
}
userdb {
  driver = static
  args = uid=www-data gid=www-data home=${site}/mail
}
first_valid_uid = 1
`,
    further: {
      'oauth2.conf': `
introspection_mode = post
introspection_url = ${endpoint('introspect')}
username_attribute = sub
active_attribute = active
active_value = true
tls_ca_cert_file = ${SSL_CERT_FILE}
client_id = ${CLIENT_ID}
client_secret = ${CLIENT_SECRET}
`,
    },
    ask: async (token, { sub }) => {
      const text = Buffer.from(`user=${sub}\x01auth=Bearer ${token}\x01\x01`).toString('base64');
      const socket = connect(Number(PORT), '127.0.0.1');
      socket.write(`a AUTHENTICATE XOAUTH2 ${text}\r\nb LOGOUT\r\n`);
      let received = '';
      for await (const data of socket) received += data;
      if (!/^a OK/m.test(received)) throw new Error(received);
    },
  },
};

const { command, configuration, further = {}, ask } = SERVERS[kind];
mkdirSync(`${site}/www`, { recursive: true });
writeFileSync(`${site}/www/index.html`, 'the site');
for (const [name, text] of Object.entries({ conf: configuration, ...further }))
  writeFileSync(`${site}/${name}`, text);
const server = spawn(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit'] });
process.on('exit', () => server.kill());

async function untilOpen() {
  for (let tries = 0; tries < 300; tries++) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(Number(PORT), '127.0.0.1', () => resolve(true) ?? socket.destroy());
      socket.on('error', () => resolve(false));
    });
    if (isOpen) return;
    await pause(100);
  }
}

await run({
  begin: async () =>
    client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: REDIRECT_URI, scope, code_challenge_method: 'S256' },
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    }),
  finish: async (url) => {
    const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier });
    const claims = await readUserinfo(tokens.access_token);
    await untilOpen();
    await ask(tokens.access_token, claims);
    return claims;
  },
});
