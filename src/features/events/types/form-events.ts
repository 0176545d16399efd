/** Types of events about forms. */
import type { EventText } from './event-text.ts';

export const FORM_EVENTS = {
  'form.created': {
    meaning: 'A form was created.',
    label: 'Form created',
    done: 'created {}',
  },
  'form.updated': {
    meaning: 'A form was changed; `details.version` is that of its draft.',
    label: 'Form changed',
    done: 'changed {}',
  },
  'form.published': {
    meaning: 'A version of a form was published; `details.version` has its number.',
    label: 'Form published',
    done: 'published {}',
  },
  'form.closed': {
    meaning: 'A form was closed: it accepts no submissions.',
    label: 'Form closed',
    done: 'closed {}',
  },
  'form.reopened': {
    meaning: 'A closed form was opened again.',
    label: 'Form reopened',
    done: 'reopened {}',
  },
  'form.deleted': {
    meaning: 'A form was deleted with its submissions. The last event of its subject.',
    label: 'Form deleted',
    done: 'deleted {}',
  },
  'submission.received': {
    meaning:
      'A form received a submission; `details` has the ids of both, and whether it is held because it looks like spam. Of many in an hour, one event a minute has their number in place of that.',
    label: 'Submission received',
    done: 'submitted {}',
    perHour: 60,
    isSlotted: true,
  },
  'submission.released': {
    meaning: 'A submission that looked like spam was released.',
    label: 'Submission released',
    done: 'released a submission to {}',
  },
  'submission.deleted': {
    meaning: 'The administrator deleted a submission.',
    label: 'Submission deleted',
    done: 'deleted a submission to {}',
  },
  'submissions.exported': {
    meaning: 'The administrator exported the submissions to a form.',
    label: 'Submissions exported',
    done: 'exported the submissions to {}',
    perHour: 60,
  },
} as const satisfies Readonly<Record<string, EventText>>;
