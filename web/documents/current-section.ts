/** Marks the section that is read in the contents. */

export function followSections(): void {
  const links = new Map<string, Element>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.contents a'))
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  const observer = new IntersectionObserver(
    (entries) => {
      const shown = entries.findLast(({ isIntersecting }) => isIntersecting);
      if (shown === undefined) return;
      for (const [id, link] of links) {
        if (id === shown.target.id) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-10% 0px -75% 0px' },
  );
  for (const heading of document.querySelectorAll('.document h2[id]')) observer.observe(heading);
}
