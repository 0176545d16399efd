/** View of one user, with the actions of the administrator. */
import { useEffect } from 'preact/hooks';
import type { AuditEvent, User } from '../../common/api-types.ts';
import { Facts, PageHead, Panel } from '../../common/components.tsx';
import { Time } from '../../common/time.tsx';
import { CopiedId } from '../records/copied-id.tsx';
import { BackLink, recordView } from '../records/record-page.tsx';
import { usePages } from '../records/use-pages.ts';
import { may, mayChange } from '../session.ts';
import { StateBadge, toLabel, toName, type UserSection, users } from '../users/record.tsx';
import { UserActions } from './actions.tsx';
import { UserEvents } from './events.tsx';
import { UserGroups } from './groups.tsx';
import { Metadata } from './metadata.tsx';
import { Obstacles } from './obstacles.tsx';
import { Profile } from './profile.tsx';
import { Role } from './role.tsx';
import { Sessions, SignInWays } from './sign-in.tsx';
import { Tokens } from './tokens.tsx';

/** Events are readable a quarter of a second after their cause. */
const DELAY_MS = 400;
/** The panels of the wide column, by the ids of their headings. */
const PARTS = { profile: 'Profile', tokens: 'Devices and tokens', events: 'Events', metadata: 'Metadata' };

export const UserView = recordView(users, Sections);

function Sections(section: UserSection) {
  const { record: user, revision } = section;
  const events = useEvents(user, revision);
  // Keeps the focus of keyboard users when the button that they pressed is gone.
  useEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
  }, [user.state, user.locked_until]);
  const isChangeable = mayChange(user, 'users:write');
  return (
    <>
      <PageHead
        title={toLabel(user)}
        heading={<bdi>{toName(user)}</bdi>}
        back={<BackLink {...users.list} />}
        context={
          <>
            <StateBadge state={user.state} /> {user.role && <span class="badge">{user.role}</span>}{' '}
            {user.name && user.email && <bdi>{user.email}</bdi>}
          </>
        }
      >
        <UserActions {...section} />
      </PageHead>
      <Obstacles {...section} events={events} />
      <nav class="tabs" aria-label="Parts of the page">
        {Object.entries(PARTS).map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <div class="columns aside">
        <div class="stack">
          {isChangeable ? <Profile {...section} /> : <ReadOnlyProfile user={user} />}
          <Tokens {...section} />
          <Sessions {...section} />
          <UserEvents {...section} events={events} />
          <Metadata {...section} />
        </div>
        <div class="stack">
          <Account user={user} />
          <SignInWays {...section} />
          {may('groups:read') && <UserGroups {...section} />}
          {may('admin') && <Role {...section} />}
        </div>
      </div>
    </>
  );
}

function useEvents({ id }: User, revision: number) {
  const pages = usePages<AuditEvent>(users.pathTo(id, '/events'), { limit: '20' }, revision);
  const { reload } = pages;
  useEffect(() => {
    if (revision === 0) return;
    const timer = setTimeout(reload, DELAY_MS);
    return () => clearTimeout(timer);
  }, [revision]);
  return pages;
}

function ReadOnlyProfile({ user }: { readonly user: User }) {
  return (
    <Panel title="Profile" id="profile">
      <Facts
        facts={{
          Name: user.name ? <bdi>{user.name}</bdi> : 'none',
          Email: user.email ? <bdi>{user.email}</bdi> : 'none',
          Level: user.level ?? 'none',
          Language: user.locale ?? 'not known',
          'Time zone': user.zoneinfo ?? 'not known',
        }}
      />
    </Panel>
  );
}

function Account({ user }: { readonly user: User }) {
  return (
    <Panel title="Account" id="account">
      <Facts
        facts={{
          Id: <CopiedId id={user.id} />,
          Created: <Time at={user.created_at} />,
          Changed: <Time at={user.updated_at} />,
          'Last sign-in': <Time at={user.last_login_at} />,
          Verified: <Time at={user.email_verified_at} otherwise="not yet" />,
        }}
      />
    </Panel>
  );
}
