import * as appauth from '@openid/appauth';

const settings = JSON.parse(SETTINGS);

/** The library reads the fragment unless it is told that the parameters are in the query. */
class QueryUtils extends appauth.BasicQueryStringUtils {
  parse(input) {
    return super.parse(input, !settings.query);
  }
}
const requestor = new appauth.FetchRequestor();
const discover = () => appauth.AuthorizationServiceConfiguration.fetchFromIssuer(ISSUER, requestor);
const createHandler = () =>
  new appauth.RedirectRequestHandler(new appauth.LocalStorageBackend(), new QueryUtils(), location);
const shared = { client_id: CLIENT_ID, redirect_uri: REDIRECT_URI };

export const login = async () => {
  const request = new appauth.AuthorizationRequest({
    ...shared,
    scope: 'openid email profile',
    response_type: appauth.AuthorizationRequest.RESPONSE_TYPE_CODE,
  });
  createHandler().performAuthorizationRequest(await discover(), request);
};

export const callback = async () => {
  const handler = createHandler();
  const notifier = new appauth.AuthorizationNotifier();
  handler.setAuthorizationNotifier(notifier);
  let completed;
  notifier.setAuthorizationListener((request, response, error) => {
    completed = { request, response, error };
  });
  await handler.completeAuthorizationRequestIfPossible();
  if (!completed?.response)
    throw new Error(completed?.error?.errorDescription ?? 'the response was not found');
  const exchange = new appauth.TokenRequest({
    ...shared,
    grant_type: appauth.GRANT_TYPE_AUTHORIZATION_CODE,
    code: completed.response.code,
    extras: { code_verifier: completed.request.internal?.code_verifier },
  });
  const server = await discover();
  const { accessToken, idToken } = await new appauth.BaseTokenRequestHandler(requestor).performTokenRequest(
    server,
    exchange,
  );
  sessionStorage.setItem('id_token', idToken);
  const response = await fetch(`${ISSUER}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return response.json();
};

export const logout = async () => {
  const { endSessionEndpoint } = await discover();
  const query = new URLSearchParams({
    id_token_hint: sessionStorage.getItem('id_token'),
    post_logout_redirect_uri: `${BASE}/`,
  });
  location.assign(`${endSessionEndpoint}?${query}`);
};
