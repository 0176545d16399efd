/** The API reference: renders /openapi.json (OpenAPI 3.1, JSON Schema 2020-12). */
import { useEffect, useMemo } from 'preact/hooks';
import { type ApiError, basePath } from '../common/api.ts';
import { Loading } from '../common/components.tsx';
import { useLoad } from '../common/use-load.ts';
import { Description, readDescription } from './description/description.ts';
import { type Group, getGroups } from './description/operations.ts';
import type { Json } from './description/schema.ts';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { OperationSection } from './operation/operation-section.tsx';
import { Prose } from './prose.tsx';
import { SenderChoice } from './try-out/sender-choice.tsx';

export function Reference() {
  const [loaded, retry] = useLoad('openapi.json', readDescription);
  return (
    <>
      <a class="skip" href="#reference-content">
        Skip to the content
      </a>
      <Header />
      {loaded.state === 'ready' ? (
        <Rendered api={loaded.data} />
      ) : (
        <main class="prose" id="reference-content" tabIndex={-1}>
          {loaded.state === 'failed' ? (
            <Unreadable error={loaded.error} retry={retry} />
          ) : (
            <Loading what="the description of the API" />
          )}
        </main>
      )}
    </>
  );
}

function Rendered({ api }: { readonly api: Json }) {
  const groups = useMemo(() => getGroups(api), [api]);
  const { title = 'API reference', version = 'unknown', description } = api.info ?? {};
  useEffect(() => {
    document.title = title;
    // The target did not exist while the page loaded: navigating again scrolls to it and moves the focus.
    if (location.hash) location.replace(location.hash);
  }, [title]);
  return (
    <Description.Provider value={api}>
      <div class="with-contents">
        <Navigation groups={groups} />
        <main class="prose" id="reference-content" tabIndex={-1}>
          <h1>{title}</h1>
          <p class="context">
            Version {version} · <a href={`${basePath}/openapi.json`}>OpenAPI {api.openapi}</a>
          </p>
          <div class="introduction">
            <Prose text={description} />
          </div>
          <SenderChoice />
          {groups.map((group, index) => (
            <GroupSection key={group.tag} id={`tag-${index}`} group={group} />
          ))}
        </main>
      </div>
    </Description.Provider>
  );
}

interface GroupProps {
  readonly id: string;
  readonly group: Group;
}

function GroupSection({ id, group: { tag, about, operations } }: GroupProps) {
  return (
    <div class="group">
      <h2 id={id} tabIndex={-1}>
        {tag}
      </h2>
      <Prose text={about} />
      {operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} />
      ))}
    </div>
  );
}

interface UnreadableProps {
  readonly error: ApiError;
  readonly retry: () => void;
}

function Unreadable({ error, retry }: UnreadableProps) {
  return (
    <div class="notice failure" role="alert">
      <h1>The description of the API could not be read</h1>
      <p>
        This page is rendered from <a href={`${basePath}/openapi.json`}>/openapi.json</a>, which could not be
        loaded. {error.message}
      </p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
