import { OktaAuth } from '@okta/okta-auth-js';

const { endpoints } = JSON.parse(SETTINGS);
const client = new OktaAuth({
  ...{ issuer: ISSUER, clientId: CLIENT_ID, redirectUri: REDIRECT_URI, postLogoutRedirectUri: `${BASE}/` },
  ...{ scopes: ['openid', 'email', 'profile'] },
  ...(endpoints && {
    ...{ authorizeUrl: `${ISSUER}/oauth/authorize`, tokenUrl: `${ISSUER}/oauth/token` },
    ...{ userinfoUrl: `${ISSUER}/oauth/userinfo`, logoutUrl: `${ISSUER}/oauth/end-session` },
    revokeUrl: `${ISSUER}/oauth/revoke`,
  }),
});
export const login = () => client.token.getWithRedirect();
export const callback = async () => {
  const { tokens } = await client.token.parseFromUrl();
  client.tokenManager.setTokens(tokens);
  return client.token.getUserInfo();
};
export const logout = () => client.signOut();
