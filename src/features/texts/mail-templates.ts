/** The templates of messages: those of the service, or the operator's own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import { readText } from '../../lib/files.ts';
import type { Palette } from '../../settings/brand-color.ts';
import { WrongTextFile } from './language-file.ts';

/** Variables of a template: texts of one language. */
interface MailTexts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** Null in a notice, which has no link. */
  readonly link: MailLink | null;
  /** Name of the instance. */
  readonly service: string;
  /** Derived from BRAND_COLOR; null without one. */
  readonly palette: Palette | null;
  readonly footer: string;
}

interface MailLink {
  readonly url: string;
  /** Label of the button. */
  readonly action: string;
  readonly asText: string;
  readonly validity: string;
}

const OWN_DIRECTORY = join(import.meta.dirname, 'templates');
const FILES = { html: 'mail.html.eta', text: 'mail.txt.eta' } as const;

/** Compiles the templates, and tries those of the operator. @throws WrongTextFile */
export function createMailTemplates(directory: string | null) {
  return {
    html: createTemplate(directory, FILES.html, true),
    text: createTemplate(directory, FILES.text, false),
  };
}

function createTemplate(
  directory: string | null,
  name: string,
  autoEscape: boolean,
): (texts: MailTexts) => string {
  const others = directory === null ? '' : join(directory, name);
  const isOthers = others !== '' && existsSync(others);
  const file = isOthers ? others : join(OWN_DIRECTORY, name);
  const engine = new Eta({ autoEscape, autoTrim: false });
  try {
    const template = engine.compile(readText(file));
    const render = (texts: MailTexts) => engine.render(template, texts);
    if (isOthers) requireLink(file, render(SAMPLE));
    return render;
  } catch (error) {
    throw error instanceof WrongTextFile ? error : new WrongTextFile(file, firstLine(error));
  }
}

/** Messages without their link would be of no use, and nobody would notice before a user complains. */
function requireLink(file: string, message: string): void {
  if (!message.includes(SAMPLE_URL)) throw new WrongTextFile(file, 'must show the link: it.link.url');
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n', 1)[0]!;
}

const SAMPLE_URL = 'https://accounts.example.com/account/reset-password/token';

const SAMPLE: MailTexts = {
  language: 'en',
  direction: 'ltr',
  subject: 'Subject',
  greeting: 'Hello,',
  paragraphs: ['Text', 'Advice'],
  link: { url: SAMPLE_URL, action: 'Action', asText: 'As text:', validity: 'Valid' },
  service: 'Example',
  palette: null,
  footer: 'Footer',
};
