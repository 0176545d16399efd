import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  checkMessages,
  FALLBACK_LANGUAGE,
  listLanguages,
  listPlaceholders,
  type Messages,
  OWN_DIRECTORY,
  readMessages,
  type TextKey,
} from './language-file.ts';
import { createTexts } from './texts.ts';

async function writeTexts(context: TestContext, files: Readonly<Record<string, string | object>>) {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-texts-'));
  context.after(() => rm(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(directory, name), text);
  }
  return directory;
}

/** Returns the placeholders of messages by the names of their texts. */
function getPlaceholders(messages: Messages): Readonly<Record<string, string[]>> {
  const texts = Object.entries(messages).filter(([key]) => key !== 'locale');
  return Object.fromEntries(texts.map(([key, message]) => [key, listPlaceholders(message)]));
}

describe('the texts of the service', () => {
  const english = readMessages(OWN_DIRECTORY, FALLBACK_LANGUAGE);
  const placeholders = getPlaceholders(english);
  const others = listLanguages(OWN_DIRECTORY).filter((language) => language !== FALLBACK_LANGUAGE);

  test('the texts of the service are there in English and German', () => {
    assert.deepEqual(others, ['de']);
  });

  for (const language of others) {
    test(`the texts in ${language} have the names and the placeholders of the English ones`, () => {
      const messages = readMessages(OWN_DIRECTORY, language);
      assert.deepEqual(Object.keys(messages), Object.keys(english));
      checkMessages(language, messages, english);
      const own = getPlaceholders(messages);
      for (const [key, names] of Object.entries(placeholders)) {
        // German has other words where English repeats the name of a field.
        if (!key.startsWith('field.')) assert.deepEqual(own[key], names, key);
      }
    });
  }

  test('the texts of each language can be formatted with all their placeholders', async () => {
    const texts = await createTexts(null);
    for (const language of texts.languages) {
      const { text } = await texts.get(language);
      for (const [key, names] of Object.entries(placeholders)) {
        const values = Object.fromEntries(names.map((name) => [name, '5']));
        assert.doesNotMatch(text(key as TextKey, values), /[{}]/, key);
      }
    }
  });

  test('messages and problems presume no password of people who may have none', () => {
    const presumed = Object.entries(english)
      .filter(([key]) => /^mail\.|^people\.problem\.|^page\.claim_account\./.test(key))
      .filter(([, text]) => /password(?! if you have one)/i.test(text));
    assert.deepEqual(
      presumed
        .map(([key]) => key.replace(/\.\w+$/, ''))
        .filter((key, index, all) => all.indexOf(key) === index),
      [
        ...['mail.reset_password', 'mail.password_changed', 'page.claim_account'],
        ...['people.problem.invalid_login', 'people.problem.recent_sign_in_required'],
      ],
    );
  });

  test('the first sentence of a German message begins with a lower-case letter, as after a greeting with a comma', () => {
    const { 'mail.greeting': greeting, ...messages } = readMessages(OWN_DIRECTORY, 'de');
    assert.match(greeting!, /,$/);
    const first = Object.entries(messages).filter(([key]) => /^mail\..*\.text$/.test(key));
    assert.ok(first.length > 8);
    for (const [key, text] of first) assert.match(text, /^(?:\p{Ll}|Sie )/u, key);
  });

  test('times and durations have the form of the language', async () => {
    const texts = await createTexts(null);
    const [en, de] = [await texts.get('en'), await texts.get('de')];
    const time = Date.UTC(2026, 10, 21, 21, 39);
    assert.equal(en.time(time), '21 Nov 2026, 21:39 UTC');
    assert.equal(de.time(time), '21. Nov. 2026, 21:39 UTC');
    const durations = [1, 119, 120, 3_600, 5_400, 86_400, 604_800];
    assert.deepEqual(
      durations.map((seconds) => en.duration(seconds)),
      ['1 second', '119 seconds', '2 minutes', '1 hour', '90 minutes', '1 day', '7 days'],
    );
    assert.deepEqual(
      durations.map((seconds) => de.duration(seconds)),
      ['1 Sekunde', '119 Sekunden', '2 Minuten', '1 Stunde', '90 Minuten', '1 Tag', '7 Tage'],
    );
  });
});

describe('the texts of an operator', () => {
  test('texts of an operator replace those of the service and add languages, and missing ones are English', async (context) => {
    const directory = await writeTexts(context, {
      'en.json': { 'mail.greeting_without_name': 'Good day,' },
      'de.json': { 'mail.greeting_without_name': 'Grüezi,', locale: 'de-CH' },
      'ar.json': { 'people.field.email': 'البريد الإلكتروني' },
      'notes.txt': 'not read',
    });
    const texts = await createTexts(directory);
    assert.deepEqual(texts.languages, ['en', 'de', 'ar']);
    const [en, de, ar] = await Promise.all(texts.languages.map((language) => texts.get(language)));
    assert.equal(en!.text('mail.greeting_without_name'), 'Good day,');
    assert.equal(de!.text('mail.greeting_without_name'), 'Grüezi,');
    assert.equal(de!.text('people.field.email'), 'E-Mail-Adresse');
    assert.deepEqual(
      [ar!.direction, ar!.text('people.field.email'), ar!.text('mail.greeting_without_name')],
      ['rtl', 'البريد الإلكتروني', 'Good day,'],
    );
    assert.equal((await texts.get('fr')).language, 'en');
  });

  const wrong: [title: string, name: string, content: string | object, message: RegExp][] = [
    [
      'an unknown name',
      'de.json',
      { 'mail.hello': 'x' },
      /de\.json: "mail\.hello" is not the name of a text/,
    ],
    [
      'an unknown placeholder',
      'fr.json',
      { 'mail.greeting': 'Bonjour {nom}' },
      /fr\.json: "mail\.greeting" has the unknown placeholder \{nom\}; it can have \{name\}/,
    ],
    [
      'a wrong syntax',
      'fr.json',
      { 'mail.greeting': 'Bonjour {name' },
      /"mail\.greeting" is not a message of ICU MessageFormat/,
    ],
    [
      'a number format',
      'fr.json',
      { 'mail.greeting': '{name, number}' },
      /"mail\.greeting" is not a message of ICU MessageFormat: only/,
    ],
    ['a text that is no text', 'fr.json', { 'mail.greeting': 5 }, /"mail\.greeting" must be a text/],
    ['a list', 'fr.json', [], /fr\.json: must contain an object/],
    ['no JSON', 'fr.json', '{', /fr\.json: .*JSON/],
    ['a wrong locale', 'fr.json', { locale: 'x' }, /"locale" is not a locale/],
    ['a name that is no language', 'french_.json', {}, /french_\.json: the name is not a language tag/],
    [
      'a template without the link',
      'mail.txt.eta',
      'Hello',
      /mail\.txt\.eta: must show the link: it\.link\.url/,
    ],
    ['a template with a wrong syntax', 'mail.html.eta', '<% if ( %>', /mail\.html\.eta: /],
  ];
  for (const [title, name, content, message] of wrong) {
    test(`a file of an operator with ${title} is rejected with one line that names it`, async (context) => {
      const directory = await writeTexts(context, { [name]: content });
      await assert.rejects(createTexts(directory), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n/);
        return error.name === 'WrongTextFile';
      });
    });
  }

  test('a directory of an operator that does not exist is rejected', async () => {
    await assert.rejects(createTexts('/nowhere'), /\/nowhere: cannot be read \(ENOENT\)/);
  });

  test('texts and templates of an operator may begin with a byte order mark', async (context) => {
    const directory = await writeTexts(context, {
      'mail.txt.eta': '\uFEFF<%= it.link.url %>',
      'de.json': `\uFEFF${JSON.stringify({ 'mail.greeting_without_name': 'Grüezi,' })}`,
    });
    const texts = await createTexts(directory);
    assert.equal((await texts.get('de')).text('mail.greeting_without_name'), 'Grüezi,');
    const { text } = await texts.getMailTemplates();
    assert.equal(text({ link: { url: 'https://a.example' } } as Parameters<typeof text>[0])[0], 'h');
  });

  test('templates of an operator render messages, with HTML escaped in that of HTML', async (context) => {
    const directory = await writeTexts(context, {
      'mail.html.eta': '<b><%= it.greeting %></b><%= it.link?.url %>',
      'mail.txt.eta': await readFile(join(OWN_DIRECTORY, '..', 'templates', 'mail.txt.eta'), 'utf8'),
    });
    const templates = await (await createTexts(directory)).getMailTemplates();
    const mail = {
      language: 'en',
      direction: 'ltr',
      subject: 'S',
      greeting: 'A & B',
      paragraphs: ['one', 'two'],
      link: null,
      service: 'Example',
      palette: null,
      footer: 'F',
    } as const;
    assert.equal(templates.html(mail), '<b>A &amp; B</b>undefined');
    assert.equal(templates.text(mail), 'A & B\n\none\n\ntwo\n\n--\nExample\nF\n');
  });
});
