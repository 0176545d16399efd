/** The console: signing in, and the view of the URL in its frame. */
import { serviceName } from '../common/api.ts';
import { Failure, Loading, ViewHeading } from '../common/components.tsx';
import { Link, path } from '../common/router.tsx';
import { KeyboardHelp } from './keyboard/keyboard-help.tsx';
import { HOME, PAGES } from './pages.ts';
import { checkSession, session, sessionError } from './session.ts';
import { Shell } from './shell/shell.tsx';
import { SignInAgain, SignInPage } from './sign-in.tsx';
import { UserView } from './user/user-view.tsx';
import { WebhookView } from './webhooks/webhook-view.tsx';

export function App() {
  switch (session.value) {
    case 'checking':
      return (
        <main class="narrow">
          <Loading what="the console" />
        </main>
      );
    case 'unreachable':
      return (
        <main class="narrow stack">
          <ViewHeading title="Not loaded">{serviceName} console</ViewHeading>
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
      <Shell>
        <View />
      </Shell>
      <KeyboardHelp />
      {session.value === 'ended' && <SignInAgain />}
    </>
  );
}

function View() {
  const page = PAGES.find((each) => each.path === path.value);
  if (page !== undefined) return <page.view />;
  const id = /^\/console\/users\/([^/]+)$/.exec(path.value)?.[1];
  // The key makes another user another view, with a state of its own.
  if (id !== undefined) return <UserView key={id} id={decodeURIComponent(id)} />;
  const webhookId = /^\/console\/webhooks\/([^/]+)$/.exec(path.value)?.[1];
  if (webhookId !== undefined) return <WebhookView key={webhookId} id={decodeURIComponent(webhookId)} />;
  return <UnknownView />;
}

function UnknownView() {
  return (
    <>
      <ViewHeading title="Not found">There is no such page</ViewHeading>
      <p>
        <Link to={HOME}>Go to the overview</Link>
      </p>
    </>
  );
}
