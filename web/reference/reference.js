// @ts-check
/** Renders the API reference from /openapi.json (OpenAPI 3.1, JSON Schema 2020-12). */
import { badge, breakable, element, prose } from './elements.js';
import { groupsOf, operationsOf } from './operations.js';
import { operationSection } from './sections.js';

/** @typedef {import('./schema.js').Json} Json */
/** @typedef {import('./operations.js').Operation} Operation */

function navigation(/** @type {Map<string, Operation[]>} */ groups) {
  const blocks = [...groups].map(([tag, operations], index) => {
    const links = operations.map(({ id, method, path, details }) => {
      const link = element('a', { href: `#${id}`, title: details.summary ?? id }, badge(method), ' ');
      link.append(element('span', { class: 'path' }, ...breakable(path)));
      return element('li', {}, link);
    });
    const heading = element('a', { href: `#tag-${index}`, class: 'tag' }, tag);
    return element('li', {}, heading, element('ul', {}, ...links));
  });
  return element('details', {}, element('summary', {}, 'Operations'), element('ul', {}, ...blocks));
}

function renderDescription(/** @type {Json} */ api) {
  const groups = groupsOf(api, operationsOf(api));
  const title = api.info?.title ?? 'API reference';
  const version = element(
    'p',
    { class: 'version' },
    `Version ${api.info?.version ?? 'unknown'} · OpenAPI ${api.openapi}`,
  );
  const introduction = element('div', { class: 'introduction' }, ...prose(api.info?.description));
  const sections = [...groups].map(([tag, operations], index) => {
    const about = api.tags?.find((/** @type {Json} */ each) => each.name === tag)?.description;
    const heading = element('h2', { id: `tag-${index}`, tabindex: '-1' }, tag);
    const rendered = operations.map((operation) => operationSection(api, operation));
    return element('div', { class: 'group' }, heading, ...prose(about), ...rendered);
  });
  document.title = title;
  contentArea().replaceChildren(element('h1', {}, title), version, introduction, ...sections);
  renderNavigation(groups);
}

function contentArea() {
  return /** @type {HTMLElement} */ (document.getElementById('reference-content'));
}

function renderNavigation(/** @type {Map<string, Operation[]>} */ groups) {
  const menu = navigation(groups);
  const wide = matchMedia('(min-width: 60rem)');
  const follow = () => {
    menu.open = wide.matches;
  };
  wide.addEventListener('change', follow);
  follow();
  menu.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') && !wide.matches) menu.open = false;
  });
  document.getElementById('reference-navigation')?.replaceChildren(menu);
  markCurrent(menu);
}

/** Marks the operation at the top of the window in the navigation. */
function markCurrent(/** @type {HTMLElement} */ menu) {
  const links = new Map([...menu.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) {
        for (const link of links.values()) link.removeAttribute('aria-current');
        links.get(`#${entry.target.id}`)?.setAttribute('aria-current', 'true');
      }
    },
    { rootMargin: '-15% 0px -80% 0px' },
  );
  for (const section of document.querySelectorAll('.operation')) observer.observe(section);
}

function renderFailure(/** @type {unknown} */ reason) {
  const retry = element('button', { type: 'button' }, 'Try again');
  retry.addEventListener('click', () => location.reload());
  const message = element(
    'div',
    { class: 'notice failure', role: 'alert' },
    element('h1', {}, 'The description of the API could not be read'),
    element(
      'p',
      {},
      'This page is rendered from ',
      element('a', { href: '/openapi.json' }, '/openapi.json'),
      ', which could not be loaded.',
    ),
    element('p', {}, `Reason: ${reason instanceof Error ? reason.message : String(reason)}`),
    retry,
  );
  contentArea().replaceChildren(message);
}

async function readDescription() {
  const response = await fetch('/openapi.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`the server responded with ${response.status}`);
  const api = await response.json();
  if (typeof api?.paths !== 'object') throw new Error('the response is not an OpenAPI document');
  return api;
}

try {
  renderDescription(await readDescription());
  // The target did not exist while the page loaded: navigating again scrolls to it and moves the focus.
  if (location.hash) location.replace(location.hash);
} catch (error) {
  renderFailure(error);
}
