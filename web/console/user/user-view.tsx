/** View of one user, with the actions of the administrator. */
import './user.css';
import { useState } from 'preact/hooks';
import type { ApiError } from '../../common/api.ts';
import type { User } from '../../common/api-types.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import { Fact } from '../list/fact.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { StateBadge, toLabel, userPath } from '../user-record.tsx';
import { lastList } from '../users/list-view.ts';
import { Access } from './access.tsx';
import { EraseUser } from './erase-user.tsx';
import { Metadata } from './metadata.tsx';
import { Profile } from './profile.tsx';
import { Tokens } from './tokens.tsx';
import { UserEvents } from './user-events.tsx';
import type { UserSection } from './user-section.ts';

export function UserView({ id }: { readonly id: string }) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useView<{ data: User }>(userPath(id), revision);
  const user = loaded.data?.data;
  const error = loaded.state === 'failed' ? loaded.error : null;
  if (error?.status === 404) return <NotFound error={error} />;
  return (
    <>
      {user === undefined && <BackLink />}
      {error && <Failure what="The user could not be loaded" error={error} retry={retry} />}
      {user === undefined ? (
        error === null && <Loading what="the user" />
      ) : (
        <Sections user={user} revision={revision} onChange={() => setRevision((count) => count + 1)} />
      )}
    </>
  );
}

function NotFound({ error }: { readonly error: ApiError }) {
  return (
    <>
      <ViewHeading title="User not found">{error.message}</ViewHeading>
      <p>There is no user with this id. They may have been deleted.</p>
      <p>
        <Link to={lastList.to} state={lastList.state}>
          Go to the users
        </Link>
      </p>
    </>
  );
}

function Sections(section: UserSection) {
  const { user } = section;
  return (
    <>
      <div class="page-head">
        <div>
          <BackLink />
          <ViewHeading title={toLabel(user)}>
            <bdi>{user.name || toLabel(user)}</bdi>
          </ViewHeading>
          <p class="context row">
            <StateBadge state={user.state} />
            {user.name && user.email && <bdi>{user.email}</bdi>}
          </p>
        </div>
      </div>
      <div class="columns aside">
        <div class="stack">
          {may('users:write') ? <Profile {...section} /> : <ReadOnlyProfile user={user} />}
          <Tokens {...section} />
          <Metadata {...section} />
          {may('events:read') && <UserEvents {...section} />}
        </div>
        <div class="stack">
          <Account user={user} />
          {(may('users:write') || may('links:send')) && <Access {...section} />}
          {may('users:write') && <EraseUser {...section} />}
        </div>
      </div>
    </>
  );
}

/** Leads to the list as it was left. */
function BackLink() {
  return (
    <Link class="crumb" to={lastList.to} state={lastList.state}>
      ← Users
    </Link>
  );
}

function ReadOnlyProfile({ user }: { readonly user: User }) {
  return (
    <section class="panel" aria-labelledby="profile">
      <header>
        <h2 id="profile">Profile</h2>
      </header>
      <dl class="facts">
        <Fact name="Name">{user.name ? <bdi>{user.name}</bdi> : 'none'}</Fact>
        <Fact name="Email">{user.email ? <bdi>{user.email}</bdi> : 'none'}</Fact>
        <Fact name="Level">{user.level ?? 'none'}</Fact>
      </dl>
    </section>
  );
}

function Account({ user }: { readonly user: User }) {
  return (
    <section class="panel" aria-labelledby="account">
      <header>
        <h2 id="account">Account</h2>
      </header>
      <dl class="facts">
        <Fact name="Id">
          <code>{user.id}</code>
        </Fact>
        <Fact name="Created">
          <Time at={user.created_at} />
        </Fact>
        <Fact name="Changed">
          <Time at={user.updated_at} />
        </Fact>
        <Fact name="Last login">
          <Time at={user.last_login_at} />
        </Fact>
        <Fact name="Verified">
          <Time at={user.email_verified_at} otherwise="not yet" />
        </Fact>
      </dl>
    </section>
  );
}
