import { inAscii } from '../parts/format.js';

/** Letters, digits and what enode URLs are made of: an id of these is what it looks like. */
const PLAIN = /^[\w.:@/?=&[\]-]+$/;
/** Characters of an id that are shown. */
const MAX_SHOWN = 256;

/** As a JSON string in ASCII, whole. */
export const quoted = (id: string): string => inAscii(JSON.stringify(id));

/**
 * An id as people read it: a plain one as it is, any other in quotes and ASCII, as the node's own explanations have it, so that
 * one with a character of no width is not taken for another.
 */
export function shownId(id: string): string {
  const cut = id.length > MAX_SHOWN ? id.slice(0, MAX_SHOWN) : id;
  const text = PLAIN.test(cut) ? cut : quoted(cut);
  return cut === id ? text : `${text}… of ${id.length} characters`;
}

/** An id in an address of the page. It may hold half a pair of UTF-16, which an address cannot. */
export function idInAddress(id: string): string {
  return encodeURIComponent(JSON.stringify(id).slice(1, -1));
}

/** The id of a part of an address; undefined when it is not one of `idInAddress`. */
export function idFromAddress(part: string | null): string | undefined {
  if (part === null) return undefined;
  try {
    return JSON.parse(`"${part}"`) as string;
  } catch {
    return undefined;
  }
}
