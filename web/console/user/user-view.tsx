/** View of one user, with the actions of the administrator. */
import './user.css';
import { useState } from 'preact/hooks';
import type { ApiError } from '../../common/api.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import { useView } from '../session.ts';
import { StateBadge, toLabel, type User, userPath } from '../user-record.tsx';
import { lastList } from '../users/list-view.ts';
import { Access } from './access.tsx';
import { EraseUser } from './erase-user.tsx';
import { Profile } from './profile.tsx';
import { SecurityEvents } from './security-events.tsx';
import { Tokens } from './tokens.tsx';
import type { UserSection } from './user-section.ts';

export function UserView({ id }: { readonly id: string }) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useView<{ data: User }>(userPath(id), revision);
  const user = loaded.data?.data;
  const error = loaded.state === 'failed' ? loaded.error : null;
  if (error?.status === 404) return <NotFound error={error} />;
  return (
    <>
      <p>
        <Link to={lastList.to} state={lastList.state}>
          ← Users
        </Link>
      </p>
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
      <div class="view-head">
        <ViewHeading title={toLabel(user)}>{user.name || toLabel(user)}</ViewHeading>
        <StateBadge state={user.state} />
      </div>
      <p class="about">
        Created <Time at={user.created_at} /> · changed <Time at={user.updated_at} /> · <code>{user.id}</code>
      </p>
      <div class="columns">
        <Profile {...section} />
        <Access {...section} />
      </div>
      <Tokens {...section} />
      <SecurityEvents {...section} />
      <EraseUser {...section} />
    </>
  );
}
