/** Forms with submissions for pictures of the console. */
import { DAY, HOUR } from '../../../src/lib/time.ts';
import { createTestForm, insertTestSubmissions, publishTestForm } from '../forms.ts';
import type { TestService } from '../service.ts';
import { editor } from '../service.ts';
import type { PictureClock } from './picture-data.ts';

const text = { type: 'text', is_required: true };
const SESSIONS = ['9:30 – 12:00', '12:00 – 14:30', '14:30 – 17:00'];

const OPEN_LAB = {
  title: 'Open Lab Day 2026',
  description: 'Three days of making, repairing and asking. Everything is free.',
  fields: [
    { ...text, label: 'full_name', title: 'Full name' },
    { label: 'email', title: 'Email', type: 'email', is_required: true, help: 'Your ticket is sent to it.' },
    { label: 'phone', title: 'Phone', type: 'text', is_required: false },
    { label: 'people', title: 'Number of people', type: 'number', is_required: true, min: 1, max: 4 },
    { label: 'day', title: 'Day', type: 'date', is_required: true, min: '2026-12-11', max: '2026-12-13' },
    { ...text, label: 'session', title: 'Session', options: SESSIONS },
    {
      label: 'remarks',
      title: 'Anything that we should know?',
      type: 'text',
      is_required: false,
      multiline: true,
    },
    { label: 'consent', title: 'I agree that my answers are stored.', type: 'checkbox', is_required: true },
  ],
};

const TRY = { label: 'try', title: 'What would you like to try?', type: 'text', is_required: false };

/** The same form, changed and not published yet. */
const CHANGED = {
  ...OPEN_LAB,
  fields: [
    ...OPEN_LAB.fields.filter(({ label }) => label !== 'phone').slice(0, 5),
    { ...TRY, options: ['Laser cutter', 'Loom', 'Lathe'], multiple: true },
    ...OPEN_LAB.fields.slice(6),
  ].map((field) => {
    if (field.label === 'people') return { ...field, max: 6 };
    return field.label === 'session' ? { ...field, options: [...SESSIONS, '17:00 – 20:00'] } : field;
  }),
};

const PEOPLE = [
  ['Ada Lindqvist', 'ada.lindqvist@example.com'],
  ['Þórdís Jónsdóttir', 'thordis@example.com'],
  ['נועה לוי', 'noa.levi@example.com'],
  ['Nguyễn Thị Minh Khai', 'minhkhai@example.com'],
  ['Øyvind Sæther', 'oyvind@example.org'],
  ['ليلى حدّاد', 'layla@example.org'],
  ['Ελένη Παπαδοπούλου', 'eleni@example.org'],
] as const;

const REMARKS =
  'My daughter is 9 and uses a wheelchair. Is the laser cutter on the ground floor?\n\nShe would like to make a name plate.';

const createAnswers = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const [name, email] = PEOPLE[index % PEOPLE.length]!;
    const phone = index % 3 === 0 ? { phone: '+49 30 5550123' } : {};
    const day = `2026-12-${11 + (index % 3)}`;
    const answers = { full_name: name, email, ...phone, people: 1 + (index % 4), day };
    return {
      ...answers,
      session: SESSIONS[index % 3],
      remarks: index % 7 === 6 ? REMARKS : 'None',
      consent: true,
    };
  });

export interface PictureForms {
  /** Ids of forms. */
  readonly openLab: string;
  readonly draft: string;
  /** Id of the newest submission to the first. */
  readonly submission: string;
}

/** Creates forms in all states; the first has submissions, some of which are held, and a draft. */
export async function createForms(service: TestService, clock: PictureClock): Promise<PictureForms> {
  const { now } = clock;
  const at = (days: number) => new Date(now + days * DAY).toISOString();
  clock.now = now - 30 * DAY;
  const draft = await createTestForm(service, { title: 'Room booking' });
  await publishTestForm(service, { title: 'Course feedback', closes_at: at(-2) });
  await publishTestForm(service, { title: 'Volunteers, spring 2027', opens_at: at(11) });
  const contact = await publishTestForm(service, { title: 'Contact' });
  await insertTestSubmissions(service, contact, {
    answers: createAnswers(12).map(({ full_name }) => ({ full_name })),
    start: now - 5 * DAY,
  });
  clock.now = now - 20 * DAY;
  const settings = { closes_at: at(20), retention_days: 70, allowed_origins: ['https://lab.example.org'] };
  const path = await publishTestForm(service, { ...OPEN_LAB, ...settings });
  clock.now = now - 3 * HOUR;
  await insertTestSubmissions(service, path, { answers: createAnswers(28), start: now - 4 * DAY });
  const spam = ['Best Prices Now', 'Cheap followers'].map((name) => ({
    ...createAnswers(1)[0],
    full_name: name,
  }));
  await insertTestSubmissions(service, path, { answers: spam, start: now - 2 * HOUR, held: 1 });
  const changed = { ...CHANGED, ...settings };
  await service.api.put(path, changed, editor);
  clock.now = now;
  const { body } = await service.api.get(`${path}/submissions?limit=1`, editor);
  return { openLab: path.split('/').at(-1)!, draft: draft.id, submission: body.data[0].id };
}
