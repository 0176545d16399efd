/** Examples of the OpenAPI description. A test validates them against the schemas. */

const id = '01938c5e-7a01-7c1d-8e2f-3a5b7c9d0e1f';
const time = '2026-01-05T09:30:00.000Z';

const definition = {
  title: 'Course registration',
  description: null,
  fields: [
    { label: 'full_name', type: 'text', is_required: true, title: 'Your name' },
    { label: 'course', type: 'text', is_required: true, options: ['Sailing', 'Rowing'] },
    { label: 'age', type: 'number', is_required: false, min: 0, max: 120 },
    { label: 'terms', type: 'checkbox', is_required: true, title: 'I accept the terms.' },
  ],
};

export const newForm = { ...definition, time_zone: 'Europe/Berlin', max_submissions: 20 };

const settings = {
  ...{
    access: 'public',
    once: false,
    time_zone: 'Europe/Berlin',
    opens_at: null,
    closes_at: null,
    thanks: null,
  },
  ...{
    max_submissions: 20,
    max_per_minute: null,
    retention_days: null,
    on_erasure: 'delete',
    allowed_origins: [],
    notify: null,
  },
};

const administrated = { draft_version: 1, created_at: time, updated_at: time, revision: 1 };
const draft = { id, ...definition, state: 'draft', published_version: null, ...settings, ...administrated };
const published = { ...draft, state: 'published', published_version: 1, revision: 2 };
const respond = (data: object) => ({ message: `Form ${id}`, data });

export const created = respond(draft);
export const changed = respond(published);
export const closed = respond({ ...published, state: 'closed', revision: 3 });

const { fields: _, description: __, ...listed } = published;
const submissions = { accepted: 12, held: 1 };
export const form = respond({ ...published, submissions });
export const list = { message: 'Forms list', data: [{ ...listed, submissions }], next_cursor: null };

const version = { number: 1, created_at: time, published_at: time };
export const versions = { message: 'Versions list', data: [version] };
export const oneVersion = { message: 'Version 1', data: { ...version, ...definition } };

const answers = { full_name: 'Ada Lovelace', course: 'Sailing', age: 36, terms: true };
const received = { id, received_at: time, version: 1 };
const row = { ...received, held: false, user_id: null, answers };

export const newSubmission = { answers };
export const accepted = { message: 'Submission received', data: received };
export const submissionList = { message: 'Submissions list', data: [row], next_cursor: null };
export const submission = { message: `Submission ${id}`, data: row };
export const opened = { ...submission, newer_id: null, older_id: '01938c5e-7a01-7c1d-8e2f-3a5b7c9d0e1e' };
const options = [
  { value: 'Sailing', count: 8 },
  { value: 'Rowing', count: 3 },
];
export const totals = {
  message: `Totals of form ${id}`,
  data: { counted: 12, is_complete: true, fields: [{ label: 'course', answered: 11, options, other: 0 }] },
};
export const ndjson = `${JSON.stringify(row)}\n`;
export const csv = `submission:id,submission:received_at,submission:version,full_name,course,age,terms\r\n${id},${time},1,Ada Lovelace,Sailing,36,true\r\n`;
