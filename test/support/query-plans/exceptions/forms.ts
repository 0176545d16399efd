/** Statements that read submissions to forms. */
import { type Exception, except } from './exception.ts';

const BATCH = 'reads one batch at a time, as an erasure deletes it';
const findings = ['rows of one user in form_submissions_user'];

export const FORMS: readonly Exception[] = [
  ...except('reads 1,001 submissions at most, and sorts their forms', {
    'select forms.id, forms.title, counted.held, counted.since': ['sorts', 'all of form_submissions_held'],
  }),
  {
    statement: 'select form_id, id from form_submissions where user_id = $1 order by form_id limit $2',
    findings,
    reason: BATCH,
  },
  {
    statement: 'update forms set accepted = null where max_submissions is not null and exists',
    findings,
    reason: 'finds the forms of one user in the index, once for each batch of an erasure',
    engine: 'postgres',
  },
  { statement: 'update form_submissions set user_id = $1', findings, reason: 'moves one batch at a time' },
  { statement: 'update form_submissions set user_id = null', findings, reason: BATCH, engine: 'postgres' },
  {
    statement: 'select form_id, received_at, version, answers from form_submissions where user_id = $1',
    findings,
    reason: 'reads at most 1,000 rows for an export',
  },
];
