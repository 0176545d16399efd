import Keycloak from 'keycloak-js';

const client = new Keycloak({ clientId: CLIENT_ID, oidcProvider: ISSUER });
const options = { redirectUri: REDIRECT_URI, scope: 'email profile', ...JSON.parse(SETTINGS) };
export const login = async () => {
  await client.init(options);
  await client.login({ redirectUri: REDIRECT_URI });
};
export const callback = async () => {
  if (!(await client.init(options))) throw new Error('not authenticated');
  localStorage.setItem('id_token', client.idToken);
  return client.loadUserInfo();
};
export const logout = async () => {
  client.idToken = localStorage.getItem('id_token');
  await client.init(options);
  client.idToken = localStorage.getItem('id_token');
  await client.logout({ redirectUri: `${BASE}/` });
};
