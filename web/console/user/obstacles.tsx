/** Why the user cannot sign in, with what helps. Nothing is shown while they can. */
import type { ComponentChildren } from 'preact';
import type { AuditEvent, SettingList, User } from '../../common/api-types.ts';
import { formatCount } from '../../common/components.tsx';
import { formatPreciseTime } from '../../common/short-time.ts';
import { ShortTime } from '../../common/time.tsx';
import { REASONS } from '../events/text.ts';
import { ActionButton } from '../records/record-actions.tsx';
import type { Pages } from '../records/use-pages.ts';
import { may, request, useData } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, toName, UNCLAIMED, type UserSection, users } from '../users/record.tsx';
import { EnableUser, SendLink } from './actions.tsx';

const RECENT_MS = 7 * 86_400_000;

interface ObstaclesProps extends UserSection {
  readonly events: Pages<AuditEvent>;
}

export function Obstacles(props: ObstaclesProps) {
  const { state, email_verified_at } = props.record;
  const isVerified = state !== 'active' || email_verified_at !== null;
  if (!isVerified && may('settings:read')) return <UnverifiedObstacles {...props} />;
  // Others see that it is demanded after the first attempt.
  const [latest] = listRejected(props.record, props.events.shown?.items ?? []);
  return <ObstacleNotice {...props} isUnverified={!isVerified && latest?.reason === 'unverified'} />;
}

function UnverifiedObstacles(props: ObstaclesProps) {
  const [loaded] = useData<SettingList>('/api/v1/admin/settings');
  const setting = loaded.data?.settings.find(({ name }) => name === 'REQUIRE_VERIFIED_EMAIL');
  return <ObstacleNotice {...props} isUnverified={setting?.value === 'true'} />;
}

function ObstacleNotice(props: ObstaclesProps & { readonly isUnverified: boolean }) {
  const { events, isUnverified, ...section } = props;
  const user = section.record;
  const rejected = listRejected(user, events.shown?.items ?? []);
  const isBarred = user.state !== 'active' || user.locked_until !== undefined || isUnverified;
  const latest = rejected[0];
  if (!isBarred && latest === undefined) return null;
  return (
    <section class={isBarred ? 'notice barred' : 'notice'} aria-labelledby="obstacles">
      <h2 id="obstacles">
        {isBarred ? (
          <>
            <bdi>{toName(user)}</bdi> cannot sign in
          </>
        ) : (
          'Rejected since the last sign-in'
        )}
      </h2>
      {user.state === 'disabled' && (
        <Reason text="The account is disabled.">{may('users:write') && <EnableUser {...section} />}</Reason>
      )}
      {user.state === 'unclaimed' && (
        <Reason text={UNCLAIMED}>
          <SendLink {...section} kind="claim_account" />
        </Reason>
      )}
      {user.locked_until && <Lock {...section} lockedUntil={user.locked_until} />}
      {isUnverified && (
        <Reason text={REASONS.unverified![1]}>
          <SendLink {...section} kind="verify_email" />
        </Reason>
      )}
      {latest && <Attempts rejected={rejected} latest={latest} />}
    </section>
  );
}

/** Returns the rejected sign-ins of the last days since the last one that was accepted, newest first. */
function listRejected({ last_login_at }: User, events: readonly AuditEvent[]): readonly AuditEvent[] {
  const since = Math.max(Date.parse(last_login_at ?? '') || 0, Date.now() - RECENT_MS);
  return events.filter(({ type, time }) => type === 'login.failed' && Date.parse(time) > since);
}

function Reason({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  return (
    <div class="row">
      <p>{text}</p>
      {children}
    </div>
  );
}

function Lock({ record: user, onChange, lockedUntil }: UserSection & { readonly lockedUntil: string }) {
  const unlock = async () => {
    await request(users.pathTo(user.id, '/lock'), { method: 'DELETE' });
    announce(`${toLabel(user)} was unlocked.`);
    onChange();
  };
  const end = formatPreciseTime(lockedUntil, new Date());
  return (
    <Reason text={`Locked until ${end}, at least from one network, because sign-ins have failed.`}>
      {may('users:write') && <ActionButton text="Unlock" failure="The user was not unlocked" run={unlock} />}
    </Reason>
  );
}

function Attempts({ rejected, latest }: Readonly<{ rejected: readonly AuditEvent[]; latest: AuditEvent }>) {
  const counts = new Map<string, number>();
  for (const { reason, occurrences } of rejected)
    counts.set(reason ?? '', (counts.get(reason ?? '') ?? 0) + occurrences);
  const total = [...counts.values()].reduce((sum, count) => sum + count);
  const place = [latest.address, latest.device].filter(Boolean).join(', ');
  return (
    <p>
      {formatCount(total)} rejected {total === 1 ? 'attempt' : 'attempts'} (
      {[...counts].map(([reason, count]) => `${REASONS[reason]?.[0] ?? reason} ${count}`).join(', ')}), the
      last <ShortTime at={latest.time} />
      {place && (
        <>
          {' '}
          from <bdi>{place}</bdi>
        </>
      )}
      .
    </p>
  );
}
