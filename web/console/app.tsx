/** The console: signing in, and the view of the URL in its frame. */
import type { JSX } from 'preact';
import type { AdminScope } from '../common/api-types.ts';
import { Failure, Loading, ViewHeading } from '../common/components.tsx';
import { instanceName } from '../common/instance.ts';
import { lazyView } from '../common/lazy-view.tsx';
import { Link, path } from '../common/router.tsx';
import { FirstRunPage } from './first-run.tsx';
import type { FormTab } from './forms/record.tsx';
import { HOME, isPermitted, PAGES } from './pages.ts';
import { Palette } from './palette/palette.tsx';
import { checkSession, isStale, may, session, sessionError, signedIn } from './session.ts';
import { KeyboardHelp } from './shell/keyboard.tsx';
import { Shell } from './shell/shell.tsx';
import { RefusedPage, SignInAgain, SignInPage } from './sign-in.tsx';

export function App() {
  switch (session.value) {
    case 'checking':
      return (
        <main class="page">
          <Loading what="the console" />
        </main>
      );
    case 'unreachable':
      return (
        <main class="page">
          <ViewHeading title="Not loaded">{instanceName} console</ViewHeading>
          <Failure what="The console could not be loaded" error={sessionError.value!} retry={checkSession} />
        </main>
      );
    case 'signed_out':
      return <SignInPage />;
    case 'refused':
      return <RefusedPage />;
    case 'first_run':
      return <FirstRunPage />;
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
      <Palette />
      {(session.value === 'ended' || isStale.value) && <SignInAgain />}
    </>
  );
}

function View() {
  const page = PAGES.find((each) => each.path === path.value);
  if (page !== undefined) return isPermitted(page) ? <page.view /> : <NotPermitted scope={page.scope!} />;
  const [, list, id = ''] = /^(.+)\/([^/]+)$/.exec(path.value) ?? [];
  const { record: Record, scope } = PAGES.find((each) => each.path === list) ?? {};
  // The key makes another record another view, with a state of its own.
  if (Record)
    return may(scope!) ? <Record key={id} id={decodeURIComponent(id)} /> : <NotPermitted scope={scope!} />;
  const form = findFormView(path.value);
  if (form === undefined)
    return (
      <>
        <ViewHeading title="Not found">There is no such page</ViewHeading>
        <p>
          <Link to={HOME}>Go to the overview</Link>
        </p>
      </>
    );
  return may(form.scope) ? form.view : <NotPermitted scope={form.scope} />;
}

function NotPermitted({ scope }: { readonly scope: AdminScope }) {
  return (
    <>
      <ViewHeading title="Not permitted">You may not open this page</ViewHeading>
      <p>
        The role {signedIn.value?.role} does not permit it: it lacks <code>{scope}</code>. An owner can give
        you another role.
      </p>
    </>
  );
}

const FormView = lazyView(async () => (await import('./views.ts')).FormView);
const SubmissionView = lazyView(async () => (await import('./views.ts')).SubmissionView);

const FORM_PATH =
  /^\/console\/forms\/([^/]+)(?:\/(submissions|settings|share))?(?:(?<=submissions)\/([^/]+))?$/;

/** Returns the view and the scope that it needs; undefined if there is no such view. */
function findFormView(path: string): { scope: AdminScope; view: JSX.Element } | undefined {
  const [, id, tab = 'fields', submission] =
    FORM_PATH.exec(path)?.map((part) => part && decodeURIComponent(part)) ?? [];
  if (id === undefined) return undefined;
  const scope = tab === 'submissions' ? 'submissions:read' : 'forms:read';
  // The key makes another record another view, with a state of its own.
  if (submission === undefined) return { scope, view: <FormView key={id} id={id} tab={tab as FormTab} /> };
  return { scope, view: <SubmissionView key={submission} formId={id} id={submission} /> };
}
