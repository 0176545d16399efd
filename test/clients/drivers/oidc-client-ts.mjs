import { UserManager } from 'oidc-client-ts';

const manager = new UserManager({
  ...{ authority: ISSUER, client_id: CLIENT_ID, redirect_uri: REDIRECT_URI },
  ...{ post_logout_redirect_uri: `${BASE}/`, scope: 'openid email profile' },
});
export const login = () => manager.signinRedirect();
export const callback = async () => (await manager.signinRedirectCallback()).profile;
export const logout = () => manager.signoutRedirect();
