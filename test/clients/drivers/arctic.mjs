import * as arctic from 'arctic';
import { CLIENT_ID, CLIENT_SECRET, endpoint, REDIRECT_URI, readUserinfo, run, scope } from './lines.mjs';

const client = new arctic.OAuth2Client(CLIENT_ID, CLIENT_SECRET, REDIRECT_URI);
const verifier = arctic.generateCodeVerifier();
const { S256 } = arctic.CodeChallengeMethod;
let accessToken;
await run({
  begin: () =>
    client.createAuthorizationURLWithPKCE(
      ...[endpoint('authorize'), arctic.generateState(), S256, verifier, scope.split(' ')],
    ),
  finish: async (url) => {
    const code = url.searchParams.get('code');
    const tokens = await client.validateAuthorizationCode(endpoint('token'), code, verifier);
    accessToken = tokens.accessToken();
    return { ...arctic.decodeIdToken(tokens.idToken()), ...(await readUserinfo(accessToken)) };
  },
  end: () => client.revokeToken(endpoint('revoke'), accessToken),
});
