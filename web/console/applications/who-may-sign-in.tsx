/** The choice of the people who may sign in to an application. */

import { LoadState } from '../../common/components.tsx';
import { FieldGroup } from '../../common/form.tsx';
import { Link } from '../../common/router.tsx';
import { Tiles } from '../../common/tiles.tsx';
import { groups as records, useGroups } from '../groups/record.ts';
import { CheckList } from '../records/record-form.tsx';

/** Ids of groups; null for everybody. */
export type AllowedGroups = readonly string[] | null;

const WHO = {
  everybody: ['Everybody', 'All who have an account.'],
  groups: ['These groups only', 'Others get a page that says so.'],
} as const;

interface WhoMaySignInProps {
  /** As they are stored. */
  readonly before: AllowedGroups;
  readonly allowed: AllowedGroups;
  readonly onAllowed: (allowed: AllowedGroups) => void;
  readonly errors: readonly string[];
}

export function WhoMaySignIn({ before, allowed, onAllowed, errors }: WhoMaySignInProps) {
  const isNarrower = allowed !== null && (before === null || before.some((id) => !allowed.includes(id)));
  return (
    <>
      <Tiles
        legend="Who may sign in"
        name="allowed_groups"
        options={WHO}
        value={allowed === null ? 'everybody' : 'groups'}
        onValue={(value) => onAllowed(value === 'everybody' ? null : (before ?? []))}
      />
      {allowed !== null && <GroupChoice {...{ before, allowed, onAllowed, errors }} />}
      <p class="small" role="status">
        {allowed?.length === 0 && 'Nobody can sign in before you choose a group. '}
        {isNarrower && 'People who are in none of these groups are signed out of it when you save, at once.'}
      </p>
    </>
  );
}

interface GroupChoiceProps extends WhoMaySignInProps {
  readonly allowed: readonly string[];
}

/** Groups that were deleted stay among the choices until they are left out and the form is saved. */
function GroupChoice({ before, allowed, onAllowed, errors }: GroupChoiceProps) {
  const [loaded, retry] = useGroups();
  const groups = loaded.data;
  const titles = groups?.map(({ id, title }) => [id, title] as const) ?? [];
  const stored = [...new Set([...(before ?? []), ...allowed])];
  const gone = stored.filter((id) => !titles.some(([known]) => known === id));
  const options = [...titles, ...gone.map((id) => [id, 'A group that was deleted'] as const)];
  return (
    <FieldGroup legend="Groups" errors={errors}>
      <LoadState loaded={loaded} what="the groups" retry={retry} />
      {groups && options.length > 0 && (
        <div class="box stack tight">
          <CheckList options={options} chosen={allowed} onChosen={onAllowed} />
        </div>
      )}
      {groups?.length === 0 && (
        <p class="small">
          There are no groups yet. <Link to={records.page}>Create one</Link>
        </p>
      )}
    </FieldGroup>
  );
}

/** Says who may sign in, for people who only read it. */
export function AllowedGroupNames({ allowed }: { readonly allowed: AllowedGroups }) {
  const [loaded] = useGroups();
  if (allowed === null) return 'everybody';
  const known = loaded.data?.filter(({ id }) => allowed.includes(id)) ?? [];
  return known.map(({ title }) => title).join(', ') || 'nobody';
}
