import type { PeerCertificate, TLSSocket } from 'node:tls';
import { OperatorError } from '@tetrad/types';
import { readTextFile } from '../option-types.js';

/** Name → SHA-256 fingerprints in upper case with colons between, as `node:tls` writes them. */
export type KnownCertificates = ReadonlyMap<string, ReadonlySet<string>>;

const FINGERPRINT = /^(?:[0-9a-f]{2}:){31}[0-9a-f]{2}$/i;

/**
 * Reads a file of known certificates; without a file no certificate is known.
 * @param options.flag - of the file's option
 * @param options.malformed - the text about an invalid line
 * @throws StartupError when the file is unreadable; as `parseFingerprints`
 */
export function readFingerprints(
  file: string | undefined,
  { flag, malformed }: { readonly flag: string; readonly malformed: string },
): KnownCertificates {
  if (file === undefined) return new Map();
  return parseFingerprints(readTextFile(file, flag), { text: malformed, file });
}

/**
 * A file of known certificates: `<name> <SHA-256 fingerprint, colon-separated hex>` a line, `#` in front of
 * comments. Names are the common names of clients, or `<host>:<port>` of servers.
 *
 * Source: docs/spec/signing-proxy.md#tls
 *
 * @throws OperatorError with the text and the number of the line
 */
export function parseFingerprints(
  content: string,
  problem: { readonly text: string; readonly file: string },
): KnownCertificates {
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

/** Whether the peer presents a certificate that is known under its common name. */
export function showsKnownCertificate(
  socket: Pick<TLSSocket, 'getPeerCertificate'>,
  known: KnownCertificates,
): boolean {
  const { subject, fingerprint256 }: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (fingerprint256 === undefined) return false;
  // A certificate may have several common names.
  const names = [subject?.CN ?? []].flat();
  return names.some((name) => known.get(name)?.has(fingerprint256) === true);
}
