-- Forms, their versions and the submissions to them.
-- The rows of a deleted form are deleted in batches: until then, its state is `deleted`.
create table forms (
  id {key} primary key,
  title {text} not null,
  state {key} not null check (state in ('draft', 'published', 'closed', 'deleted')),
  draft_version {integer} not null,
  published_version {integer},
  access {key} not null,
  once {integer} not null,
  opens_at {integer},
  closes_at {integer},
  max_submissions {integer},
  retention_days {integer},
  on_erasure {key} not null,
  allowed_origins {text} not null,
  thanks {text},
  notify {text},
  notice_at {integer},
  created_at {integer} not null,
  updated_at {integer} not null,
  revision {integer} not null
) {tableOptions};
create table form_versions (
  form_id {key} not null references forms (id) on delete cascade,
  number {integer} not null,
  definition {text} not null,
  created_at {integer} not null,
  published_at {integer},
  primary key (form_id, number)
) {tableOptions};
create table form_submissions (
  id {key} not null,
  form_id {key} not null references forms (id) on delete cascade,
  version {integer} not null,
  received_at {integer} not null,
  held {integer} not null,
  user_id {key} references users (id) on delete cascade,
  answers {text} not null,
  primary key (form_id, id)
) {tableOptions};
create index form_submissions_received_at on form_submissions (form_id, received_at, id);
create index form_submissions_version on form_submissions (form_id, version, received_at, id);
create index form_submissions_held on form_submissions (form_id, received_at, id) where held = 1;
create index form_submissions_user on form_submissions (user_id, form_id) where user_id is not null;
