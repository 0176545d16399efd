import { OidcClient } from '@axa-fr/oidc-client';

const configuration = {
  ...{ client_id: CLIENT_ID, redirect_uri: REDIRECT_URI, silent_redirect_uri: `${BASE}/silent` },
  ...{ scope: 'openid profile email offline_access', authority: ISSUER, ...JSON.parse(SETTINGS) },
};
const getClient = () => OidcClient.getOrCreate(() => fetch)(configuration);
export const login = () => getClient().loginAsync('/');
export const callback = async () => {
  const client = getClient();
  await client.loginCallbackAsync();
  return client.userInfoAsync();
};
export const logout = async () => {
  const client = getClient();
  await client.tryKeepExistingSessionAsync();
  await client.logoutAsync('/');
};
