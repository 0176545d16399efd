/** The console: signing in, the menu, and the view of the URL. */
import type { ComponentType } from 'preact';
import { Failure, Loading, ViewHeading } from '../common/components.tsx';
import { Link, path } from '../common/router.tsx';
import { FormCheck } from './form-check/form-check.tsx';
import { Header } from './header.tsx';
import { Overview } from './overview/overview.tsx';
import { checkSession, session, sessionError } from './session.ts';
import { Settings } from './settings/settings.tsx';
import { SignInAgain, SignInPage } from './sign-in.tsx';
import { StatusLine } from './status.tsx';
import { UserView } from './user/user-view.tsx';
import { Users } from './users/users.tsx';

const VIEWS: ReadonlyMap<string, ComponentType> = new Map([
  ['/console', Overview],
  ['/console/users', Users],
  ['/console/form-check', FormCheck],
  ['/console/settings', Settings],
]);

export function App() {
  switch (session.value) {
    case 'checking':
      return <Loading what="the console" />;
    case 'unreachable':
      return (
        <main class="container narrow">
          <ViewHeading title="Not loaded">Frontdesk console</ViewHeading>
          <Failure what="The console could not be loaded" error={sessionError.value!} retry={checkSession} />
        </main>
      );
    case 'signed_out':
      return <SignInPage />;
    default:
      return <SignedIn />;
  }
}

function SignedIn() {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header />
      <main class="container" id="content" tabIndex={-1}>
        <View />
        <StatusLine />
      </main>
      {session.value === 'ended' && <SignInAgain />}
    </>
  );
}

function View() {
  const Known = VIEWS.get(path.value);
  if (Known !== undefined) return <Known />;
  const id = /^\/console\/users\/([^/]+)$/.exec(path.value)?.[1];
  // The key makes another user another view, with a state of its own.
  if (id !== undefined) return <UserView key={id} id={decodeURIComponent(id)} />;
  return <UnknownView />;
}

function UnknownView() {
  return (
    <>
      <ViewHeading title="Not found">There is no such page</ViewHeading>
      <p>
        <Link to="/console">Go to the overview</Link>
      </p>
    </>
  );
}
