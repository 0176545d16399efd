-- Jobs of all queues, messages that have ended, and the limits of recipients.
create table jobs (
  id {key} primary key,
  queue {key} not null,
  priority {integer} not null,
  attempts {integer} not null,
  next_attempt_at {integer} not null,
  leased_until {integer},
  created_at {integer} not null,
  expires_at {integer} not null,
  last_error {text},
  kind {key},
  user_id {key} references users (id) on delete cascade,
  email {text},
  email_key {key},
  data {text},
  origin {key},
  endpoint_id {key}
) {tableOptions};
create index jobs_due on jobs (queue, priority, next_attempt_at, id);
create index jobs_expires_at on jobs (queue, expires_at);
create index jobs_leased on jobs (leased_until) where leased_until is not null;
create index jobs_user on jobs (user_id) where user_id is not null;
create index jobs_email on jobs (email_key, kind, created_at) where email_key is not null;
create index jobs_anonymous on jobs (expires_at) where origin = 'anonymous';
create index jobs_mail on jobs (created_at, id) where kind is not null;
create index jobs_endpoint on jobs (endpoint_id, next_attempt_at, id) where endpoint_id is not null;
-- Messages that have ended. The data is that of the job, for messages that can be sent again. The content is
-- encrypted.
create table mail_messages (
  id {key} primary key,
  kind {key} not null,
  user_id {key} references users (id) on delete cascade,
  email {text} not null,
  email_key {key} not null,
  state {key} not null,
  reason {key},
  attempts {integer} not null,
  last_error {text},
  data {text},
  content {bytes},
  created_at {integer} not null,
  ended_at {integer} not null
) {tableOptions};
create index mail_messages_created_at on mail_messages (created_at, id);
create index mail_messages_state on mail_messages (state, created_at, id);
create index mail_messages_email on mail_messages (email_key, created_at, id);
create index mail_messages_user on mail_messages (user_id, id) where user_id is not null;
create index mail_messages_content on mail_messages (ended_at, id) where content is not null;
-- The recipient is a keyed hash of the address. No reference to users: it outlives an account that is erased.
create table mail_recipients (
  recipient {key} primary key,
  sends {text} not null,
  last_sent_at {integer} not null
) {tableOptions};
create index mail_recipients_last_sent_at on mail_recipients (last_sent_at);

-- One record of all events, with numbers and digests that are assigned after the commit.
create table events (
  id {key} primary key,
  created_at {integer} not null,
  type {key},
  subject {key},
  actor {key},
  actor_id {key},
  outcome {key},
  reason {key},
  data {text},
  network {text},
  device {text},
  number {integer},
  sequence {integer},
  content_hash {key},
  network_hash {key},
  device_hash {key},
  digest {key},
  mark {key}
) {tableOptions};
create unique index events_number on events (number) where number is not null;
create index events_unnumbered on events (id) where number is null;
create index events_subject on events (subject, number) where number is not null;
create index events_subject_type on events (subject, type, created_at);
create index events_type on events (type, number) where number is not null;
create index events_actor on events (actor, number) where number is not null and actor <> 'user';
create index events_actor_id on events (actor_id, number) where number is not null and actor_id is not null;
create index events_failures on events (number) where outcome = 'failure';
create index events_created_at on events (created_at);
create index events_network on events (created_at) where network is not null;
create index events_personal on events (subject, id)
  where network is not null or device is not null;
-- For erasures: events that a user has caused on other subjects, and those of a person who was an administrator.
create index events_personal_actor on events (actor_id, id)
  where actor = 'user' and (subject is null or subject <> 'user:' || actor_id)
    and (network is not null or device is not null);
create index events_administrator_data on events (actor_id, id)
  where actor = 'administrator' and (network is not null or device is not null);
-- Occurrences of this hour, of events that can be caused at any rate: those that are events, now and before the last of
-- these, and when the others become one; null if there are none.
create table event_counts (
  hour {integer} not null,
  count_key {key} not null,
  type {key} not null,
  subject {key},
  actor {key} not null,
  actor_id {key},
  reason {key},
  network {text},
  occurrences {integer} not null,
  first_at {integer} not null,
  last_at {integer} not null,
  recorded {integer} not null default 0,
  recorded_before {integer} not null default 0,
  due_at {integer},
  primary key (hour, count_key)
) {tableOptions};
create index event_counts_due on event_counts (due_at) where due_at is not null;
create table event_subjects (
  subject {key} primary key,
  sequence {integer} not null
) {tableOptions};
-- One row: the last event of the chain, the last one that was deleted at its start, and the last one that needs no mark
-- of its own: those of earlier releases, and of an earlier SECRET_KEY.
create table event_chain (
  id {integer} primary key,
  number {integer} not null,
  digest {key} not null,
  deleted_number {integer} not null,
  deleted_digest {key} not null,
  deleted_at {integer} not null default 0,
  deleted_mark {key},
  accepted_number {integer} not null default 0,
  accepted_digest {key},
  accepted_mark {key}
) {tableOptions};
insert into event_chain (id, number, digest, deleted_number, deleted_digest) values (1, 0, '', 0, '');
