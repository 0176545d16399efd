/** Examples of the documentation. */
export const ownTexts = { texts: { 'people.sign_in.title': 'Welcome back' } };

export const texts = {
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
};

export const preview = {
  page: 'sign_in',
  language: 'en',
  settings: { INSTANCE_NAME: 'Example', BRAND_COLOR: '#0b7a53' },
  texts: ownTexts.texts,
};

export const page = '<!doctype html>\n<html lang="en" dir="ltr">…</html>\n';
