/** One submission with the version that it answered. */
import { useState } from 'preact/hooks';
import type { Form, FormVersion, OpenedSubmission } from '../../../common/api-types.ts';
import { CodeBlock } from '../../../common/code-block.tsx';
import { Button, Fact, Facts, PageHead, Panel } from '../../../common/components.tsx';
import { Icon } from '../../../common/icon.tsx';
import { Link, navigate, query, withQuery } from '../../../common/router.tsx';
import { Time } from '../../../common/time.tsx';
import { CopiedId } from '../../records/copied-id.tsx';
import { BackLink, isNotFound, MissingRecord } from '../../records/record-page.tsx';
import { may, read, request, useViewData } from '../../session.ts';
import { listFieldChanges } from '../changes.ts';
import { forms, linkToForm } from '../record.tsx';
import { toFieldName } from '../typed.ts';
import { Answer, formatAnswer, getName } from './answers.tsx';
import { ChangeDialog, SubmissionBadge } from './list.tsx';

const DAY = 86_400_000;

interface SubmissionViewProps {
  readonly formId: string;
  readonly id: string;
}

/** Loads a submission with its form, the version that it answered and the one that is published. */
function useSubmission({ formId, id }: SubmissionViewProps, revision: number) {
  const path = forms.pathTo(formId);
  return useViewData(`${revision} ${path} ${id} ${query.value}`, async (signal) => {
    const filters = Object.fromEntries([...query.value].filter(([name]) => FILTERS.includes(name)));
    const opened = withQuery(`${path}/submissions/${encodeURIComponent(id)}`, filters);
    const { data: submission, ...neighbors } = (await request<OpenedSubmission>(opened, { signal })).body;
    const form = await read<Form>(path, { signal });
    const readVersion = (number: number) => read<FormVersion>(`${path}/versions/${number}`, { signal });
    const version = await readVersion(submission.version);
    const published = await readVersion(form.published_version ?? submission.version);
    return { form, submission, neighbors, version, published };
  });
}

/** The filters of the list from which the submission was opened. */
const FILTERS = ['from', 'to', 'version', 'held', 'search', 'answer'];

/** Returns a path of the list, or of a submission in it, with the filters and columns of the list. */
function linkToSubmissions(formId: string, rest = ''): string {
  return withQuery(linkToForm(formId, 'submissions') + rest, Object.fromEntries(query.value));
}

type Loaded = NonNullable<ReturnType<typeof useSubmission>[0]['data']>;

export function SubmissionView(props: SubmissionViewProps) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useSubmission(props, revision);
  const list = { name: 'submissions', to: linkToSubmissions(props.formId) };
  if (loaded.data === undefined || isNotFound(loaded))
    return <MissingRecord noun="submission" list={list} loaded={loaded} retry={retry} />;
  const { form, submission, version } = loaded.data;
  const name = getName(submission, version.fields);
  return (
    <>
      <PageHead
        title={name}
        back={<BackLink {...list} name={`submissions of ${form.title}`} />}
        context={
          <span class="row">
            <SubmissionBadge {...submission} />
            <Time at={submission.received_at} />
          </span>
        }
      >
        <Neighbors {...loaded.data} />
        {may('forms:write') && <Actions {...loaded.data} onReleased={() => setRevision(revision + 1)} />}
      </PageHead>
      <VersionNotice {...loaded.data} />
      <div class="columns aside">
        <Answers {...loaded.data} />
        <SubmissionFacts {...loaded.data} />
      </div>
    </>
  );
}

/** Links to the submissions beside this one in the list. */
function Neighbors({ form, neighbors: { newer_id, older_id } }: Loaded) {
  const ways = [
    { name: 'Newer submission', icon: 'up', id: newer_id },
    { name: 'Older submission', icon: 'down', id: older_id },
  ] as const;
  return (
    <nav class="row" aria-label="Submissions">
      {ways.map(
        ({ name, icon, id }) =>
          id !== null && (
            <Link key={name} class="button square" to={linkToSubmissions(form.id, `/${id}`)} title={name}>
              <span class="visually-hidden">{name}</span>
              <Icon name={icon} />
            </Link>
          ),
      )}
    </nav>
  );
}

function Actions({ form, submission, onReleased }: Loaded & { readonly onReleased: () => void }) {
  const [kind, setKind] = useState<'release' | 'delete' | null>(null);
  const close = (isDone: boolean) => {
    setKind(null);
    if (isDone && kind === 'release') onReleased();
    else if (isDone) navigate(linkToSubmissions(form.id));
  };
  return (
    <div class="row">
      <Button text="Delete…" class="danger" onClick={() => setKind('delete')} />
      {submission.held && <Button text="Release…" class="primary" onClick={() => setKind('release')} />}
      {kind && <ChangeDialog form={form} kind={kind} submissions={[submission]} onClose={close} />}
    </div>
  );
}

/** How the published version differs from the one that was answered. */
function VersionNotice({ version, published }: Loaded) {
  if (published.number === version.number) return null;
  const changes = listFieldChanges(version.fields, published.fields);
  return (
    <p class="notice">
      <span>
        These are the questions of <strong>version {version.number}</strong>, as they were asked. Version{' '}
        {published.number} is published:{' '}
        {changes.map(({ kind, name }) => `${name} (${kind})`).join(', ') || 'its fields are the same'}.
      </span>
    </p>
  );
}

function Answers({ form, version, submission }: Loaded) {
  const { fields, number } = version;
  const given = fields.filter((field) => formatAnswer(submission, field) !== null).length;
  const asked = new Set(form.fields.map(({ label }) => label));
  const count = <span class="muted small">{`${given} of ${fields.length} questions`}</span>;
  return (
    <Panel title="Answers" id="answers" beside={count}>
      <dl class="facts answers">
        {fields.map((field) => (
          <Fact key={field.label} name={toFieldName(field)}>
            <Answer field={field} submission={submission} />{' '}
            {number < form.draft_version && !asked.has(field.label) && (
              <span class="badge">Removed since</span>
            )}
          </Fact>
        ))}
      </dl>
      <details>
        <summary>JSON</summary>
        <CodeBlock label="JSON" text={JSON.stringify(submission, null, 2)} />
      </details>
    </Panel>
  );
}

function SubmissionFacts({ form, submission }: Loaded) {
  const { id, user_id, received_at, version } = submission;
  const days = form.retention_days;
  const end = days === null ? null : new Date(Date.parse(received_at) + days * DAY).toISOString();
  return (
    <Panel title="Submission" id="submission">
      <Facts
        facts={{
          Id: <CopiedId id={id} />,
          Version: version,
          User:
            user_id !== null && may('users:read') ? (
              <Link to={`/console/users/${user_id}`}>Open the user</Link>
            ) : (
              user_id
            ),
          'Kept until': end !== null && <Time at={end} />,
        }}
      />
    </Panel>
  );
}
