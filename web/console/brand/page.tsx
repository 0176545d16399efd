/** How pages and messages for users look and speak: name, logo, colour and texts, with a preview beside them. */
import { useEffect, useState } from 'preact/hooks';
import { Button, Failure, formatCounted, LoadState, PageHead } from '../../common/components.tsx';
import { useAction } from '../../common/use-action.ts';
import { may, useViewData } from '../session.ts';
import { announce } from '../status.tsx';
import { BrandFields } from './fields.tsx';
import { Preview } from './preview.tsx';
import { getPage, type Shown, TextFields } from './texts.tsx';
import {
  type BrandSettings,
  countChanges,
  findUnsavedLanguage,
  type LoadedBrand,
  loadBrand,
  storeBrand,
} from './values.ts';

export function BrandPage() {
  const [loaded, again] = useViewData('brand', loadBrand);
  return (
    <>
      <PageHead
        title="Brand"
        context="What users see of you: the pages to sign in and up, their account, forms and messages. Changes take effect on every node within five seconds."
      />
      <LoadState loaded={loaded} what="the brand" retry={again} />
      {loaded.data && <Editor key={loaded.data.etag} loaded={loaded.data} reload={again} />}
    </>
  );
}

function Editor({ loaded, reload }: Readonly<{ loaded: LoadedBrand; reload: () => void }>) {
  const draft = useDraft(loaded, reload);
  const { typed, setTyped, error } = draft;
  const [language, setLanguage] = useState('en');
  const [shown, setShown] = useState<Shown>({ page: 'sign_in' });
  const { settings, texts } = typed;
  useEffect(() => {
    // The service rejects the texts of one language.
    const failed = error === null ? undefined : findUnsavedLanguage(draft.base, typed);
    if (failed !== undefined) setLanguage(failed);
  }, [error]);
  return (
    <>
      <div class="columns even brand-page">
        <div class="stack">
          <BrandFields
            settings={loaded.settings}
            values={settings}
            onValues={(changed) => setTyped({ ...typed, settings: { ...settings, ...changed } })}
            error={error}
          />
          <TextFields
            languages={loaded.languages}
            language={language}
            onLanguage={setLanguage}
            own={texts[language]!}
            onOwn={(own) => setTyped({ ...typed, texts: { ...texts, [language]: own } })}
            onKey={(key) => setShown(getPage(key, shown))}
            error={error}
          />
        </div>
        <Preview
          shown={shown}
          onShown={setShown}
          request={{ language, settings: toPreviewSettings(loaded, settings), texts: texts[language]! }}
        />
      </div>
      <SaveBar draft={draft} />
    </>
  );
}

const toPreviewSettings = ({ settings }: LoadedBrand, typed: BrandSettings) => ({
  INSTANCE_NAME: typed.INSTANCE_NAME || settings.INSTANCE_NAME.default,
  INSTANCE_LOGO: typed.INSTANCE_LOGO || null,
  BRAND_COLOR: typed.BRAND_COLOR || null,
});

/** What is typed, and how it is saved and set back. */
function useDraft(loaded: LoadedBrand, reload: () => void) {
  const [{ brand: base, etag }, setStored] = useState<Pick<LoadedBrand, 'brand' | 'etag'>>(loaded);
  const [typed, setTyped] = useState(loaded.brand);
  const { run, ...saving } = useAction();
  const count = countChanges(base, typed);
  useUnloadWarning(count > 0);
  const store = (change: Parameters<typeof storeBrand>[0]) =>
    storeBrand(change, (brand, etag) => setStored({ brand, etag }));
  const save = async () => {
    const saved = await store({ from: base, to: typed, etag });
    const undo = async () => {
      await store({ from: typed, to: base, etag: saved });
      reload();
      announce('The brand is as before.');
    };
    announce('The brand was saved.', { undo });
  };
  const error = count === 0 ? null : saving.error;
  const discard = () => setTyped(base);
  return { isBusy: saving.isBusy, error, base, typed, setTyped, count, save: () => run(save), discard };
}

function SaveBar({ draft }: { readonly draft: ReturnType<typeof useDraft> }) {
  const { count, error, isBusy, save, discard } = draft;
  if (count === 0 || !may('settings:write')) return null;
  return (
    <>
      {error && Object.keys(error.errors).length === 0 && (
        <Failure what="Not everything was saved" error={error} />
      )}
      <section class="bulk" aria-label="Unsaved changes">
        <p role="status">{formatCounted(count, 'unsaved change')}</p>
        <Button text="Discard" class="plain compact" onClick={discard} />
        <Button text="Save" class="primary compact" aria-busy={isBusy} onClick={() => void save()} />
      </section>
    </>
  );
}

/** Asks before the window is closed. */
function useUnloadWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
