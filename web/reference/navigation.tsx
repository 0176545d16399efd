/** The menu of operations. */
import { useEffect, useState } from 'preact/hooks';
import type { Group, Operation } from './description/operations.ts';
import { Badge, Breakable } from './prose.tsx';

/** Wide windows show the menu beside the content; in others it opens like a drop-down. */
const WIDE = matchMedia('(min-width: 60rem)');

export function Navigation({ groups }: { readonly groups: readonly Group[] }) {
  const [isOpen, setOpen] = useState(WIDE.matches);
  const current = useCurrentOperation(groups);
  useEffect(() => {
    const follow = () => setOpen(WIDE.matches);
    WIDE.addEventListener('change', follow);
    return () => WIDE.removeEventListener('change', follow);
  }, []);
  const closeAfterLink = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a') && !WIDE.matches) setOpen(false);
  };
  return (
    <nav class="operations" id="reference-navigation" aria-label="Operations">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Operations</summary>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click comes from a link, which has the keyboard */}
        <ul onClick={closeAfterLink}>
          {groups.map(({ tag, operations }, index) => (
            <li key={tag}>
              <a href={`#tag-${index}`} class="tag">
                {tag}
              </a>
              <ul>
                {operations.map((operation) => (
                  <Entry key={operation.id} operation={operation} isCurrent={operation.id === current} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

interface EntryProps {
  readonly operation: Operation;
  readonly isCurrent: boolean;
}

function Entry({ operation: { id, method, path, details }, isCurrent }: EntryProps) {
  return (
    <li>
      <a href={`#${id}`} title={details.summary ?? id} aria-current={isCurrent ? 'true' : undefined}>
        <Badge method={method} />{' '}
        <span class="path">
          <Breakable path={path} />
        </span>
      </a>
    </li>
  );
}

/** Returns the id of the operation at the top of the window. */
function useCurrentOperation(groups: readonly Group[]): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const shown = entries.findLast(({ isIntersecting }) => isIntersecting);
        if (shown) setCurrent(shown.target.id);
      },
      { rootMargin: '-15% 0px -80% 0px' },
    );
    for (const section of document.querySelectorAll('.operation')) observer.observe(section);
    return () => observer.disconnect();
  }, [groups]);
  return current;
}
