/** Registration, login and logout from a page of another origin than the service, without a framework. */

const SERVICE = document.querySelector('meta[name="frontdesk-url"]').content;

// #region token
/**
 * The token is in sessionStorage: it survives a reload, and ends with the tab. Every script of this origin can read it,
 * so the page must not run scripts of others: its Content-Security-Policy allows its own only. In a variable, it would be
 * just as exposed to an injected script while the page is open, but lost with each reload. localStorage would keep it for
 * longer and share it with all tabs.
 */
const token = {
  read: () => sessionStorage.getItem('token'),
  write: (value) => sessionStorage.setItem('token', value),
  remove: () => sessionStorage.removeItem('token'),
};
// #endregion

// #region call
/** Texts by code. Codes do not change; the texts of the service may, and are in English. */
const MESSAGES = {
  email_taken: 'There is an account with this email. Log in instead.',
  invalid_login: 'The email or the password is wrong.',
  unauthorized: 'You were logged out. Log in again.',
};

/** An error response; `code` says which, `message` is for people. */
class ServiceError extends Error {
  constructor({ code, error, errors = {} }, retryAfter) {
    const wait = retryAfter === null ? [] : [`Try again in ${retryAfter} seconds.`];
    super([MESSAGES[code] ?? error, ...Object.values(errors).flat(), ...wait].join(' '));
    this.code = code;
  }
}

/** Sends a request with the token, if there is one, and returns the body. Throws ServiceError. */
async function call(method, path, body) {
  const headers = {};
  if (token.read() !== null) headers.Authorization = `Bearer ${token.read()}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(SERVICE + path, { method, headers, body: JSON.stringify(body) });
  const result = await response.json();
  if (response.ok) return result;
  if (response.status === 401) token.remove();
  throw new ServiceError(result, response.headers.get('Retry-After'));
}
// #endregion

const find = (id) => document.getElementById(id);

function show(user) {
  find('signed-out').hidden = user !== null;
  find('signed-in').hidden = user === null;
  if (user === null) return;
  find('name').textContent = user.name;
  find('email').textContent = user.email;
}

async function showCurrentUser() {
  const user = token.read() === null ? null : (await call('GET', '/api/v1/me')).data;
  show(user);
}

/** Runs what a button does, and shows the error if it fails. */
async function run(action) {
  find('message').textContent = '';
  try {
    await action();
  } catch (error) {
    find('message').textContent =
      error instanceof ServiceError ? error.message : 'The service cannot be reached. Try again.';
    if (token.read() === null) show(null);
  }
}

for (const name of ['login', 'register']) {
  find(name).addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = Object.fromEntries(new FormData(form));
    run(async () => {
      token.write((await call('POST', `/api/${name}`, values)).access_token);
      form.reset();
      await showCurrentUser();
      document.querySelector('#signed-in h2').focus();
    });
  });
}

find('logout').addEventListener('click', () =>
  run(async () => {
    await call('POST', '/api/logout');
    token.remove();
    show(null);
  }),
);

run(showCurrentUser);
