/** View of one user, with the actions of the administrator. */

import { useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { PageHead, Panel } from '../../common/panel.tsx';
import { CopiedId } from '../list/copied-id.tsx';
import { Fact, TimeFact } from '../list/fact.tsx';
import { BackLink, isNotFound, MissingRecord, type RecordList } from '../list/missing-record.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { StateBadge, toLabel, toName, userPath } from '../user-record.tsx';
import { lastList } from '../users/list-view.ts';
import { Access } from './access.tsx';
import { EraseUser } from './erase-user.tsx';
import { Metadata } from './metadata.tsx';
import { Profile } from './profile.tsx';
import { SignInWays } from './sign-in-ways.tsx';
import { Tokens } from './tokens.tsx';
import { UserEvents } from './user-events.tsx';
import type { UserSection } from './user-section.ts';

/** The list as it was left. */
const getList = (): RecordList => ({ name: 'users', ...lastList });

export function UserView({ id }: { readonly id: string }) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useView<{ data: User }>(userPath(id), revision);
  const user = loaded.data?.data;
  if (user === undefined || isNotFound(loaded))
    return <MissingRecord noun="user" list={getList()} loaded={loaded} retry={retry} />;
  return (
    <>
      {loaded.state === 'failed' && (
        <Failure what="The user could not be loaded" error={loaded.error} retry={retry} />
      )}
      <Sections user={user} revision={revision} onChange={() => setRevision((count) => count + 1)} />
    </>
  );
}

function Sections(section: UserSection) {
  const { user } = section;
  return (
    <>
      <PageHead
        title={toLabel(user)}
        heading={<bdi>{toName(user)}</bdi>}
        back={<BackLink {...getList()} />}
        context={
          <>
            <StateBadge state={user.state} /> {user.name && user.email && <bdi>{user.email}</bdi>}
          </>
        }
      />
      <div class="columns aside">
        <div class="stack">
          {may('users:write') ? <Profile {...section} /> : <ReadOnlyProfile user={user} />}
          <Tokens {...section} />
          <Metadata {...section} />
          <UserEvents {...section} />
        </div>
        <div class="stack">
          <Account user={user} />
          <SignInWays {...section} />
          {(may('users:write') || may('links:send') || user.locked_until) && <Access {...section} />}
          {may('users:write') && <EraseUser {...section} />}
        </div>
      </div>
    </>
  );
}

function ReadOnlyProfile({ user }: { readonly user: User }) {
  return (
    <Panel title="Profile" id="profile">
      <dl class="facts">
        <Fact name="Name">{user.name ? <bdi>{user.name}</bdi> : 'none'}</Fact>
        <Fact name="Email">{user.email ? <bdi>{user.email}</bdi> : 'none'}</Fact>
        <Fact name="Level">{user.level ?? 'none'}</Fact>
        <Fact name="Language">{user.locale ?? 'not known'}</Fact>
      </dl>
    </Panel>
  );
}

function Account({ user }: { readonly user: User }) {
  return (
    <Panel title="Account" id="account">
      <dl class="facts">
        <Fact name="Id">
          <CopiedId id={user.id} />
        </Fact>
        <TimeFact name="Created" at={user.created_at} />
        <TimeFact name="Changed" at={user.updated_at} />
        <TimeFact name="Last login" at={user.last_login_at} otherwise="never" />
        <TimeFact name="Verified" at={user.email_verified_at} otherwise="not yet" />
      </dl>
    </Panel>
  );
}
