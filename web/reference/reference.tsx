/** The API reference: renders /openapi.json, one group of operations at a time. */
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { ApiError, basePath, send } from '../common/api.ts';
import { Button, Loading } from '../common/components.tsx';
import { Logo } from '../common/icon.tsx';
import { hasConsole, instanceName } from '../common/instance.ts';
import { ThemeChoice } from '../common/theme-choice.tsx';
import { useLoad } from '../common/use-load.ts';
import { type Description, type Group, type Json, toDescription } from './description.ts';
import { Navigation, useGroup } from './navigation.tsx';
import { OperationSection } from './operation.tsx';
import { Prose } from './prose.tsx';
import { SenderChoice } from './sender-choice.tsx';

export function Reference() {
  const [loaded, retry] = useLoad('openapi.json', readDescription);
  return (
    <>
      <a class="skip" href="#reference-content">
        Skip to the content
      </a>
      <Header />
      {loaded.state === 'ready' ? (
        <Rendered description={loaded.data} />
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

/** @throws ApiError */
async function readDescription(signal: AbortSignal): Promise<Description> {
  const { body } = await send<Json>('/openapi.json', { signal });
  if (typeof body?.paths === 'object') return toDescription(body);
  throw new ApiError(200, { error: 'The response is not an OpenAPI document.', code: 'unreadable' });
}

/** The bar of the pages for readers, which documents have too (src/features/pages/documents/document-frame.ts). */
function Header() {
  return (
    <header class="bar">
      <a class="brand" href={`${basePath}/`}>
        <Logo />
        <bdi>{instanceName}</bdi>
      </a>
      <Button text="Menu" class="compact plain" popovertarget="pages-menu" />
      <nav class="across nav" id="pages-menu" aria-label="Pages" popover>
        <a href={`${basePath}/`}>Documents</a>
        <a href={`${basePath}/docs`} aria-current="page">
          API reference
        </a>
        {hasConsole && <a href={`${basePath}/console`}>Console</a>}
      </nav>
      <ThemeChoice />
    </header>
  );
}

function Rendered({ description }: { readonly description: Description }) {
  const { title, version, about, groups } = description;
  const group = useGroup(groups);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class="with-contents">
      <Navigation groups={groups} shown={group} />
      <main class="prose" id="reference-content" tabIndex={-1}>
        <h1>{title}</h1>
        <p class="context">
          Version {version} · <a href={`${basePath}/openapi.json`}>OpenAPI description</a>
        </p>
        <div class="introduction">
          <Prose text={about} />
        </div>
        <SenderChoice />
        <GroupSection key={group.id} group={group} />
      </main>
    </div>
  );
}

function GroupSection({ group: { id, tag, about, operations } }: { readonly group: Group }) {
  useLayoutEffect(() => {
    // The target did not exist before: navigating again scrolls to it and moves the focus.
    if (location.hash) location.replace(location.hash);
  }, []);
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

function Unreadable({ error, retry }: Readonly<{ error: ApiError; retry: () => void }>) {
  return (
    <div class="notice failure" role="alert">
      <h1>The description of the API could not be read</h1>
      <p>
        This page is rendered from <a href={`${basePath}/openapi.json`}>/openapi.json</a>, which could not be
        loaded. {error.message}
      </p>
      <Button text="Try again" onClick={retry} />
    </div>
  );
}
