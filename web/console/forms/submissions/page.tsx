/** The submissions to a form, newest first: those that are held wait above the others. */
import { useMemo, useState } from 'preact/hooks';
import type { Form, FormField, FormVersion, FormVersionList, Submission } from '../../../common/api-types.ts';
import { Check } from '../../../common/form.tsx';
import { navigate, query, withQuery } from '../../../common/router.tsx';
import { ColumnChoice } from '../../records/controls.tsx';
import { ExportMenu, SPREADSHEET } from '../../records/export-file.tsx';
import { choiceField, searchField, timeField } from '../../records/filter-fields.tsx';
import { createFilters, type Filter, Filters, isFiltered, type ListFilters } from '../../records/filters.tsx';
import { EmptyList, usePages } from '../../records/record-list.tsx';
import { useData } from '../../session.ts';
import { formatTotal, forms, linkToForm } from '../record.tsx';
import { toFieldName } from '../typed.ts';
import { answerField, listShownFields } from './answers.tsx';
import { SubmissionList } from './list.tsx';
import { Totals } from './totals.tsx';

const PAGE_SIZE = '50';
const HELD_PAGE_SIZE = '10';

interface SubmissionsProps {
  readonly form: Form;
  readonly onChange: () => void;
}

export function Submissions({ form, onChange }: SubmissionsProps) {
  const fields = useAskedFields(form, query.value.get('version'));
  const filters = useSubmissionFilters(form, fields);
  const filter = filters.read();
  const shown = listChosenFields(fields);
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
      <Totals formId={form.id} fields={fields} filter={filter} revision={revision} />
      <Filters filters={filters}>
        <FieldColumns fields={fields} shown={shown} filters={filters} />
        <ExportSubmissions formId={form.id} filter={filter} />
      </Filters>
      <SubmissionList
        // The selection belongs to the rows that are shown.
        key={JSON.stringify(filter)}
        form={form}
        label="Submissions"
        fields={fields}
        shown={shown}
        filter={{ ...filter, columns: query.value.get('columns') }}
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

interface FieldColumnsProps {
  readonly fields: readonly FormField[];
  readonly shown: readonly FormField[];
  readonly filters: ListFilters;
}

function FieldColumns({ fields, shown, filters }: FieldColumnsProps) {
  const columns = fields.map((field) => ({
    ...{ id: field.label, title: toFieldName(field), isShown: shown.includes(field) },
    isFixed: shown.length === 1 && shown[0] === field,
  }));
  const choose = (labels: readonly string[]) =>
    navigate(filters.link({ columns: labels.join() }), { replace: true });
  return <ColumnChoice columns={columns} onChoose={choose} />;
}

/** Returns the fields of the columns in the URL; without them, the first ones. */
function listChosenFields(fields: readonly FormField[]): readonly FormField[] {
  const labels = query.value.get('columns')?.split(',') ?? [];
  const chosen = fields.filter(({ label }) => labels.includes(label));
  return chosen.length === 0 ? listShownFields(fields) : chosen;
}

/** Returns the fields of the version whose submissions are listed: by default that which is published. */
function useAskedFields(form: Form, version: string | null): readonly FormField[] {
  const number = version?.match(VERSION)?.[0] ?? form.published_version ?? form.draft_version;
  const [loaded] = useData<FormVersion>(forms.pathTo(form.id, `/versions/${number}`));
  return loaded.data?.fields ?? form.fields;
}

const VERSION = /^[1-9]\d{0,8}$/;

function useSubmissionFilters({ id, published_version }: Form, fields: readonly FormField[]) {
  const [loaded] = useData<FormVersionList>(forms.pathTo(id, `/versions`), published_version ?? 0);
  const published = (loaded.data ?? []).filter(({ published_at }) => published_at !== null);
  const numbers = published.map(({ number }) => String(number));
  const keep = () => ({ columns: query.value.get('columns') });
  const create = () => {
    const path = linkToForm(id, 'submissions');
    const controls = [
      searchField('search', {
        label: 'Search submissions',
        placeholder: 'Part of an answer, or an id',
        chip: 'Search',
      }),
      timeField(['from', 'to'], {
        label: 'Received',
        chips: ['Since', 'Until'],
        spans: ['Last 24 hours', 'Last 7 days', 'Last 30 days'],
      }),
      choiceField('version', {
        label: 'Version',
        options: Object.fromEntries(numbers.map((number) => [number, number])),
        nameOther: (value) => (VERSION.test(value) ? value : undefined),
        format: String,
      }),
      choiceField('held', {
        label: 'Held',
        all: 'Left out',
        options: { include: 'Included', only: 'Only these' },
      }),
      answerField(fields),
    ];
    return createFilters(path, controls, keep);
  };
  return useMemo(create, [id, numbers.join(), fields]);
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
        <strong>Wait for a decision.</strong> They look like spam: sent within two seconds (too fast), in
        large numbers from one network (too many), or with a field that people do not see (hidden field).
      </summary>
      <SubmissionList
        form={form}
        label="Held submissions"
        fields={fields}
        filter={{ held: 'only' }}
        pages={pages}
        hasHeld
        isInPanel
        empty="Nothing is held any more."
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
          <Check
            text={
              <span>
                Guard against formulas
                <small>Texts that a spreadsheet would execute begin with an apostrophe.</small>
              </span>
            }
            isChecked={!isRaw}
            onChecked={(isGuarded) => setRaw(!isGuarded)}
          />
        )
      }
    />
  );
}
