import { OperatorError } from '@tetrad/types';

const FINGERPRINT = /^(?:[0-9a-f]{2}:){31}[0-9a-f]{2}$/i;

/**
 * A file of certificates that are known: `<name> <SHA-256 fingerprint, colon-separated hex>` a line, `#` in front of
 * comments. Names are the common names of clients, or `<host>:<port>` of servers.
 *
 * Out:    name → fingerprints in upper case, as `node:tls` writes them
 * Fails:  OperatorError with the text and the number of the line
 * Source: signing-proxy.md, section 14
 */
export function parseFingerprints(
  content: string,
  problem: { readonly text: string; readonly file: string },
): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    // A name may have spaces in it, the fingerprint is the last word.
    const fingerprint = trimmed.split(/\s/).at(-1) ?? '';
    const name = trimmed.slice(0, -fingerprint.length).trimEnd();
    if (name === '' || !FINGERPRINT.test(fingerprint)) {
      throw new OperatorError(`${problem.text} (${problem.file}, line ${index + 1})`);
    }
    known.set(name, (known.get(name) ?? new Set()).add(fingerprint.toUpperCase()));
  }
  return known;
}
