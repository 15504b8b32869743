/** A value that must not leave its owner. */
export interface Secret {
  /** For findings, which must not show the value. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Something that others read: a log, metrics, an answer. */
export interface Source {
  readonly name: string;
  readonly content: Buffer;
}

/** Where a secret was found, and in which form. */
export interface Finding {
  readonly secret: string;
  readonly form: string;
  readonly source: string;
  /** Bytes before it. */
  readonly offset: number;
}

/** Bytes; anything shorter occurs by chance. */
const MIN_BYTES = 8;

/** Bytes per group of base64, and characters that the bytes before a secret share with it, by their number in the group. */
const GROUP = 3;
const SHARED_CHARACTERS = [0, 2, 3] as const;

/**
 * The texts under which a secret can appear: as it is, as hex, as base64 wherever it is in what was encoded, and as the
 * list of numbers that JavaScript prints for bytes.
 */
export function formsOf({ bytes }: Secret): ReadonlyMap<string, Buffer> {
  const hex = Buffer.from(bytes).toString('hex');
  const forms = new Map([
    ['raw', Buffer.from(bytes)],
    ['hex', Buffer.from(hex)],
    ['HEX', Buffer.from(hex.toUpperCase())],
    ['list of numbers', Buffer.from(bytes.join(','))],
    ['spaced list of numbers', Buffer.from(bytes.join(', '))],
  ]);
  for (const [before, shared] of SHARED_CHARACTERS.entries()) {
    const text = base64At(bytes, before, shared);
    forms.set(`base64, shifted by ${before}`, Buffer.from(text));
    forms.set(`base64url, shifted by ${before}`, Buffer.from(text.replaceAll('+', '-').replaceAll('/', '_')));
  }
  return forms;
}

/** The characters that the secret alone decides, when so many bytes of a group are before it. */
function base64At(bytes: Uint8Array, before: number, shared: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const isWhole = (before + bytes.length) % GROUP === 0;
  return text.slice(shared, isWhole ? undefined : -1);
}

/**
 * All secrets in the sources, each form once a source.
 * @throws RangeError for a secret that is too short to be distinguished from chance
 */
export function findSecrets(secrets: readonly Secret[], sources: readonly Source[]): Finding[] {
  const findings: Finding[] = [];
  for (const secret of secrets) {
    if (secret.bytes.length < MIN_BYTES)
      throw new RangeError(`${secret.name} has less than ${MIN_BYTES} bytes, and cannot be searched for`);
    for (const [form, pattern] of formsOf(secret)) {
      for (const { name: source, content } of sources) {
        const offset = content.indexOf(pattern);
        if (offset !== -1) findings.push({ secret: secret.name, form, source, offset });
      }
    }
  }
  return findings;
}
