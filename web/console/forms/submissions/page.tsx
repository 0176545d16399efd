/** The submissions to a form, newest first: those that are held wait above the others. */
import { useMemo, useState } from 'preact/hooks';
import type { Form, FormField, FormVersion, FormVersionList, Submission } from '../../../common/api-types.ts';
import { withQuery } from '../../../common/router.tsx';
import { ExportMenu, SPREADSHEET } from '../../records/export-menu.tsx';
import { choiceField, hoursAgo, timeField } from '../../records/filter-fields.tsx';
import { createFilters, type Filter, Filters, isFiltered } from '../../records/filters.tsx';
import { EmptyList } from '../../records/record-list.tsx';
import { usePages } from '../../records/use-pages.ts';
import { useView } from '../../session.ts';
import { formatTotal, forms, linkToForm } from '../record.tsx';
import { SubmissionList } from './list.tsx';

const PAGE_SIZE = '50';
const HELD_PAGE_SIZE = '10';

interface SubmissionsProps {
  readonly form: Form;
  readonly onChange: () => void;
}

export function Submissions({ form, onChange }: SubmissionsProps) {
  const filters = useSubmissionFilters(form);
  const filter = filters.read();
  const fields = useAskedFields(form, filter.version ?? null);
  const [revision, setRevision] = useState(0);
  const path = forms.pathTo(form.id, `/submissions`);
  const pages = usePages<Submission>(path, { ...filter, limit: PAGE_SIZE }, revision);
  const change = () => {
    setRevision(revision + 1);
    onChange();
  };
  return (
    <>
      {filter.held === null && form.submissions.held > 0 && (
        <Held form={form} fields={fields} revision={revision} onChange={change} />
      )}
      <Filters filters={filters}>
        <ExportSubmissions formId={form.id} filter={filter} />
      </Filters>
      <SubmissionList
        // The selection belongs to the rows that are shown.
        key={JSON.stringify(filter)}
        form={form}
        label="Submissions"
        fields={fields}
        pages={pages}
        hasHeld={filter.held !== null}
        empty={
          <EmptyList noun="submission" isFiltered={isFiltered(filter)} pages={pages} all={filters.clear()}>
            {form.state === 'draft'
              ? 'Publish the form: then people can send it.'
              : 'Nobody has sent it yet.'}
          </EmptyList>
        }
        onChange={change}
      />
    </>
  );
}

/** Returns the fields of the version whose submissions are listed: by default that which is published. */
function useAskedFields(form: Form, version: string | null): readonly FormField[] {
  const number = version ?? form.published_version ?? form.draft_version;
  const [loaded] = useView<{ data: FormVersion }>(forms.pathTo(form.id, `/versions/${number}`));
  return loaded.data?.data.fields ?? form.fields;
}

const SPANS = {
  'Last 24 hours': () => hoursAgo(24),
  'Last 7 days': () => hoursAgo(24 * 7),
  'Last 30 days': () => hoursAgo(24 * 30),
} as const;

function useSubmissionFilters({ id, published_version }: Form) {
  const [loaded] = useView<{ data: FormVersionList }>(forms.pathTo(id, `/versions`), published_version ?? 0);
  const published = (loaded.data?.data ?? []).filter(({ published_at }) => published_at !== null);
  const numbers = published.map(({ number }) => String(number));
  const create = () =>
    createFilters(linkToForm(id, 'submissions'), [
      timeField(['from', 'to'], { label: 'Received', chips: ['Since', 'Until'], spans: SPANS }),
      choiceField('version', {
        label: 'Version',
        options: Object.fromEntries(numbers.map((number) => [number, number])),
        nameOther: (value) => (/^[1-9]\d{0,8}$/.test(value) ? value : undefined),
        format: String,
      }),
      choiceField('held', {
        label: 'Held',
        all: 'Left out',
        options: { include: 'Included', only: 'Only these' },
      }),
    ]);
  return useMemo(create, [id, numbers.join()]);
}

interface HeldProps extends SubmissionsProps {
  readonly fields: readonly FormField[];
  readonly revision: number;
}

function Held({ form, fields, revision, onChange }: HeldProps) {
  const parameters = { held: 'only', limit: HELD_PAGE_SIZE };
  const pages = usePages<Submission>(forms.pathTo(form.id, `/submissions`), parameters, revision);
  return (
    <details class="panel held">
      <summary>
        <span class="badge warn">{formatTotal(form.submissions.held)} held</span>{' '}
        <strong>Wait for a decision.</strong> They look like spam: sent very fast, in large numbers, or with a
        field that people do not see.
      </summary>
      <SubmissionList
        form={form}
        label="Held submissions"
        fields={fields}
        pages={pages}
        isInPanel
        empty={<p class="empty">Nothing is held any more.</p>}
        onChange={onChange}
      />
    </details>
  );
}

const CSV = 'text/csv';
const FORMATS = [
  SPREADSHEET,
  {
    ...{ name: 'CSV', hint: 'one column for each field', mediaType: CSV },
    parameters: { format: 'csv' },
  },
  {
    ...{ name: 'CSV for Excel', hint: 'marked as UTF-8', mediaType: CSV },
    parameters: { format: 'csv', bom: '1' },
  },
  {
    ...{ name: 'NDJSON', hint: 'without loss, one submission in a line', mediaType: 'application/x-ndjson' },
    parameters: { format: 'ndjson' },
  },
];

function ExportSubmissions({ formId, filter }: Readonly<{ formId: string; filter: Filter }>) {
  const [isRaw, setRaw] = useState(false);
  const path = forms.pathTo(formId, `/submissions/export`);
  return (
    <ExportMenu
      label={isFiltered(filter) ? 'Export matching submissions' : 'Export all submissions'}
      formats={FORMATS}
      toPath={(parameters) => withQuery(path, { ...filter, ...parameters, raw: isRaw ? '1' : null })}
      renderOptions={({ mediaType }) =>
        mediaType === CSV && (
          <label class="option">
            <input type="checkbox" checked={!isRaw} onChange={() => setRaw(!isRaw)} />
            <span>
              Guard against formulas
              <small>Texts that a spreadsheet would execute begin with an apostrophe.</small>
            </span>
          </label>
        )
      }
    />
  );
}
