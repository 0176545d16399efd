/** Schemas and examples of texts and previews. */
import {
  dataSchema,
  type JsonSchema,
  nullableText,
  recordSchema,
  text,
} from '../../lib/schema/json-schema.ts';
import { MAX_TEXT_LENGTH } from './change-texts.ts';
import { BRAND_SETTINGS, MAIL_KINDS, PREVIEW_PAGES } from './preview-pages.ts';

export const languageParameter = recordSchema({
  language: { type: 'string', description: 'Language tag, such as `de`.' },
});

const textSchema = {
  $id: 'LanguageText',
  ...recordSchema({
    key: { ...text, description: 'Name of the text.' },
    default: { ...text, description: 'The text of files, in the format of ICU MessageFormat.' },
    own: { ...nullableText, description: 'The text that replaces it; null without one.' },
    placeholders: { type: 'array', items: text, description: 'Placeholders that the text can contain.' },
  }),
} as const;

export const textsSchema = dataSchema({
  title: 'LanguageTexts',
  ...recordSchema({
    language: text,
    languages: { type: 'array', items: text, description: 'All languages that have texts.' },
    texts: { type: 'array', items: textSchema },
  }),
});

const ownTexts = {
  type: 'object',
  description: `Texts by name, each at most ${MAX_TEXT_LENGTH} characters on one line.`,
  additionalProperties: { type: 'string' },
} as const satisfies JsonSchema;

/** `texts` is not in `required`, which would reject an empty object too. */
export const replaceTextsSchema = {
  type: 'object',
  properties: { texts: ownTexts },
  additionalProperties: false,
} as const satisfies JsonSchema;

export const previewSchema = {
  type: 'object',
  required: ['page', 'language'],
  properties: {
    page: { type: 'string', enum: PREVIEW_PAGES },
    message: { type: 'string', enum: MAIL_KINDS, description: 'Of the page `mail`.' },
    language: text,
    settings: {
      type: 'object',
      description: 'Settings that replace those in force; null for no logo or colour.',
      properties: Object.fromEntries(BRAND_SETTINGS.map((name) => [name, nullableText])),
      additionalProperties: false,
    },
    texts: ownTexts,
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

const exampleTexts = { 'people.sign_in.title': 'Welcome back' };

/** Examples of the documentation. */
export const examples = {
  ownTexts: { texts: exampleTexts },
  texts: {
    message: 'Texts',
    data: {
      language: 'en',
      languages: ['en', 'de'],
      texts: [
        { key: 'people.sign_in.title', default: 'Sign in', own: 'Welcome back', placeholders: [] },
        {
          key: 'people.sign_in.text',
          default: 'With your {service} account.',
          own: null,
          placeholders: ['service'],
        },
      ],
    },
  },
  preview: {
    page: 'sign_in',
    language: 'en',
    settings: { INSTANCE_NAME: 'Example', BRAND_COLOR: '#0b7a53' },
    texts: exampleTexts,
  },
  page: '<!doctype html>\n<html lang="en" dir="ltr">…</html>\n',
};
