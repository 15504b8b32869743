import { readFileSync } from 'node:fs';

/** A page without its blocks of code. */
export const withoutCode = (text: string) => text.replace(/^```[^]*?^```$/gm, '');

/** The fragments by which headings are linked, as GitHub makes them. */
export function fragmentsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) => {
      const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}
