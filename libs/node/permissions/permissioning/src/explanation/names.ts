/**
 * Ids in sentences for people. Admins choose the ids of their entries: one that looks like another, reads as a part of the
 * sentence, or moves the cursor of a terminal must be seen as what it is.
 */

/** Of organizations, roles, addresses, hosts and enode URLs. */
const PLAIN = /^[\w.:@/?=&[\]-]+$/;
/** Maximum number of characters of an id in a sentence. */
const MAX_NAME = 256;

/** A plain id as it is; any other in quotes and ASCII, cut when it is long. */
export function named(id: string | undefined): string {
  if (id === undefined) return 'none';
  if (id.length > MAX_NAME) return `${quoted(id.slice(0, MAX_NAME))}… of ${id.length} characters`;
  return PLAIN.test(id) ? id : quoted(id);
}

/** As a parameter of a call: a JSON string in ASCII, whole. */
export function quoted(id: string): string {
  return asciiOf(JSON.stringify(id));
}

/** Text with everything but printable ASCII and … as `\u` and four hex digits, as JSON has it. */
export function asciiOf(text: string): string {
  return text.replaceAll(/[^ -~…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
