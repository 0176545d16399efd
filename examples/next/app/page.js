/** A page that only people who are signed in see. */
import { redirect } from 'next/navigation';
import { auth, signIn, signOut } from '../auth.js';

// #region page
async function start() {
  'use server';
  await signIn('frontdesk');
}

async function end() {
  'use server';
  await signOut({ redirect: false });
  // Without it, the next sign-in would need no password. The page asks before it signs out of Frontdesk.
  const { AUTH_FRONTDESK_ISSUER: issuer, AUTH_FRONTDESK_ID: id } = process.env;
  redirect(`${issuer}/oauth/end-session?client_id=${id}`);
}

export default async function Page() {
  const session = await auth();
  return session ? (
    <form action={end}>
      <p>Hello {session.user.name}</p>
      <button type="submit">Sign out</button>
    </form>
  ) : (
    <form action={start}>
      <button type="submit">Sign in</button>
    </form>
  );
}
// #endregion
