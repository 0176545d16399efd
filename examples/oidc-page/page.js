/**
 * A page without a backend, to which people sign in with Frontdesk: a public application whose redirect URI is this page.
 * The verifier is kept for the tab while the person signs in, the token in memory only.
 */

const setting = (name) => document.querySelector(`meta[name=${name}]`).content;
/** Origin of Frontdesk, and the id of the application. */
const [issuer, clientId] = [setting('issuer'), setting('client-id')];

const toBase64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
const random = () => toBase64url(crypto.getRandomValues(new Uint8Array(32)));
const redirectUri = location.origin + location.pathname;

async function startSignIn() {
  const [verifier, state] = [random(), random()];
  sessionStorage.setItem('sign-in', JSON.stringify({ verifier, state }));
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  location.assign(
    `${issuer}/oauth/authorize?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state,
      code_challenge: toBase64url(challenge),
      code_challenge_method: 'S256',
    })}`,
  );
}

// #region sign-in
/** Returns the claims about the person, or null if the page was opened without a code. */
async function completeSignIn() {
  const query = new URLSearchParams(location.search);
  const kept = JSON.parse(sessionStorage.getItem('sign-in') ?? 'null');
  if (query.get('code') === null || kept === null) return null;
  sessionStorage.removeItem('sign-in');
  history.replaceState(null, '', redirectUri);
  // A response to another request, or of another issuer, is not for this page (RFC 9207).
  if (query.get('state') !== kept.state || query.get('iss') !== issuer) throw new Error('foreign response');
  const token = await fetch(`${issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code: query.get('code'),
      code_verifier: kept.verifier,
    }),
  }).then((response) => response.json());
  const headers = { authorization: `Bearer ${token.access_token}` };
  const claims = await fetch(`${issuer}/oauth/userinfo`, { headers });
  return claims.json();
}
// #endregion

document.querySelector('#sign-in').addEventListener('click', startSignIn);
const person = await completeSignIn();
if (person !== null)
  document.querySelector('#person').textContent = person.name ?? person.email ?? person.sub;
