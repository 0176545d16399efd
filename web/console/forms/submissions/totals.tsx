/** How often each choice was answered, by the filters of the list. */
import { useState } from 'preact/hooks';
import type { AnswerTotals, FormField } from '../../../common/api-types.ts';
import { formatCount, LoadState } from '../../../common/components.tsx';
import { withQuery } from '../../../common/router.tsx';
import type { Filter } from '../../records/filters.tsx';
import { useData } from '../../session.ts';
import { counted, forms } from '../record.tsx';
import { toFieldName } from '../typed.ts';
import { formatChoice, isChoice } from './answers.tsx';

interface TotalsProps {
  readonly formId: string;
  readonly fields: readonly FormField[];
  readonly filter: Filter;
  readonly revision: number;
}

/** Counted when it is opened. */
export function Totals(props: TotalsProps) {
  const [isOpen, setOpen] = useState(false);
  if (!props.fields.some(isChoice)) return null;
  return (
    <details class="panel held" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>Totals per choice</strong>
      </summary>
      {isOpen && <Counts {...props} />}
    </details>
  );
}

function Counts({ formId, fields, filter, revision }: TotalsProps) {
  const path = withQuery(forms.pathTo(formId, '/submissions/totals'), filter);
  const [loaded, retry] = useData<AnswerTotals>(path, revision);
  const totals = loaded.data;
  if (totals === undefined) return <LoadState loaded={loaded} what="the totals" retry={retry} />;
  const names = new Map(fields.map((field) => [field.label, toFieldName(field)]));
  return (
    <>
      <div class="totals">
        {totals.fields.map((total) => (
          <Field key={total.label} name={names.get(total.label) ?? total.label} total={total} />
        ))}
      </div>
      <footer>
        <p>
          {totals.is_complete ? '' : 'The newest '}
          {counted(totals.counted, 'submission')}. Shares are those of the answers to each question.
        </p>
      </footer>
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly total: AnswerTotals['fields'][number];
}

function Field({ name, total: { answered, options, other } }: FieldProps) {
  const rows = other > 0 ? [...options, { value: 'Earlier choices', count: other }] : options;
  return (
    <section>
      <h2>
        <bdi>{name}</bdi> <span class="muted small">{formatCount(answered)} answered</span>
      </h2>
      <table>
        <caption>{name}</caption>
        <tbody>
          {rows.map(({ value, count }) => (
            <tr key={value}>
              <th scope="row">
                <bdi>{formatChoice(value)}</bdi>
              </th>
              <td>
                <span class="rate">
                  <meter max={Math.max(answered, count, 1)} value={count} aria-hidden="true" />
                </span>
              </td>
              <td class="num">{formatCount(count)}</td>
              <td class="num">{answered === 0 ? '–' : `${Math.round((count / answered) * 100)} %`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
