/** Settings of the instance: how it presents itself. */
import { resolve } from 'node:path';
import { redirectUrls } from './network-rules.ts';
import { describeLogo, displayName, hexColor, languageTag, pageUrl, parseLogo } from './rules.ts';
import { format, type SettingDefinition } from './setting-definition.ts';

/** Name of the product, which an instance has until the operator names it. */
const PRODUCT_NAME = 'Frontdesk';

export const INSTANCE_SETTINGS = {
  INSTANCE_NAME: {
    group: 'instance',
    title: 'Name of the service',
    meaning: 'How pages and messages call this service.',
    values: 'Your application or company.',
    section: 'name-and-logo',
    rule: displayName,
    fallback: PRODUCT_NAME,
    standard: `the name in \`MAIL_FROM\`, or \`${PRODUCT_NAME}\``,
    format: format('text'),
  },
  INSTANCE_LOGO: {
    group: 'instance',
    title: 'Logo',
    meaning: 'Image beside the name: PNG, at most 64 KiB.',
    values: '`data:image/png;base64,…`.',
    section: 'name-and-logo',
    rule: parseLogo,
    fallback: null,
    describe: describeLogo,
    format: format('image'),
  },
  BRAND_COLOR: {
    group: 'instance',
    title: 'Colour',
    meaning: 'Colour of buttons and links on the pages for users, and in messages.',
    values: 'Such as `#3f52d4`; texts stay readable with any.',
    section: 'name-and-logo',
    rule: hexColor,
    fallback: null,
    format: format('text'),
  },
  APP_URL: {
    group: 'instance',
    title: 'Application',
    meaning: 'URL of the application whose accounts these are.',
    values: 'The pages of links lead back to it.',
    section: 'name-and-logo',
    rule: pageUrl,
    fallback: null,
    format: format('url'),
  },
  REDIRECT_URLS: {
    group: 'instance',
    title: 'Further redirect URLs',
    meaning: 'Where the pages of links may lead besides the application.',
    values: 'For `redirect_to`: origins, or URLs with the beginning of a path, separated by commas.',
    section: 'name-and-logo',
    rule: redirectUrls,
  },
  DEFAULT_LOCALE: {
    group: 'instance',
    title: 'Language',
    meaning: 'Language of pages and messages for people who have none of those for which there are texts.',
    values: 'A language tag such as `de`; without texts for it, English.',
    section: 'texts-and-languages',
    rule: languageTag,
    fallback: 'en',
    format: format('text'),
  },
  TEXTS_DIR: {
    group: 'instance',
    title: 'Directory of own texts',
    meaning: 'Texts, further languages and templates of messages are read from there.',
    rule: (path) => resolve(path),
  },
} as const satisfies Record<string, SettingDefinition<unknown>>;
