/** Totals as cards. A card leads to the list of its records, if there is one. */
import type { ComponentChildren } from 'preact';
import { formatCount } from '../../common/components.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { linkToEvents } from '../events/event-filters.tsx';
import { Change } from './change.tsx';

const USERS = '/console/users';
const STATES = { active: 'Active', unclaimed: 'Unclaimed', disabled: 'Disabled' } as const;

interface FiguresProps {
  readonly users: {
    readonly total: number;
    readonly by_state: Readonly<Record<keyof typeof STATES, number>>;
  };
  readonly newUsers: number;
  readonly liveTokens: number;
  readonly failedLogins: number;
  /** Count of the 24 hours before. */
  readonly previousFailedLogins: number;
  /** When they were counted. */
  readonly at: string;
}

export function Figures(props: FiguresProps) {
  const { users, newUsers, liveTokens, failedLogins, previousFailedLogins, at } = props;
  const states = Object.entries(STATES) as [keyof typeof STATES, string][];
  return (
    <ul class="figures" aria-label="Totals">
      <Figure name="Users" count={users.total} note={`${formatCount(newUsers)} new in 30 days`} to={USERS} />
      {states.map(([state, label]) => (
        <Figure
          key={state}
          name={label}
          count={users.by_state[state]}
          note={formatShare(users.by_state[state], users.total)}
          to={withQuery(USERS, { state })}
        />
      ))}
      <Figure name="Live tokens" count={liveTokens} note="not expired" />
      <Figure
        name="Failed logins"
        count={failedLogins}
        note={
          <>
            <Change
              count={failedLogins}
              previous={previousFailedLogins}
              before="the 24 hours before"
              until={at}
              isLessBetter
            />{' '}
            in 24 hours
          </>
        }
        to={linkToEvents({ type: 'login.failed', outcome: 'failure', from: dayBefore(at) })}
      />
    </ul>
  );
}

function dayBefore(at: string): string {
  return new Date(Date.parse(at) - 86_400_000).toISOString();
}

function formatShare(count: number, total: number): string {
  if (total === 0) return 'of no users';
  const share = Math.round((count / total) * 100);
  return `${share === 0 && count > 0 ? 'less than 1' : share} % of users`;
}

interface FigureProps {
  readonly name: string;
  readonly count: number;
  readonly note: ComponentChildren;
  readonly to?: string;
}

function Figure({ name, count, note, to }: FigureProps) {
  const content: ComponentChildren = (
    <>
      <span>{name}</span> <strong>{formatCount(count)}</strong> <small>{note}</small>
    </>
  );
  return (
    <li>
      {to === undefined ? (
        <div class="panel figure">{content}</div>
      ) : (
        <Link class="panel figure" to={to}>
          {content}
        </Link>
      )}
    </li>
  );
}
