/** Request header with the API versions of the sender, separated by commas. */
export const API_VERSIONS_HEADER = 'tesseraSupportedApiVersions';

/** What `GET /version/api` answers. */
export const API_VERSIONS = ['1.0', '2.0', '2.1', '3.0', '4.0', '5.0'] as const;

/** The same in the header, where the first two have their older names; sorted as text. */
export const SUPPORTED_VERSIONS = ['2.1', '3.0', '4.0', '5.0', 'v1', 'v2'].join(',');

/** Most versions that are read of a header. */
const MAX_VERSIONS = 32;

/** The versions of a header. */
export function parseApiVersions(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').slice(0, 1_000).split(',', MAX_VERSIONS);
  return new Set(names.map((name) => name.trim()).filter((name) => name !== ''));
}

/** The versions of an answer to `GET /version/api`; nothing when it is not one. */
export function readApiVersions(text: string): ReadonlySet<string> | undefined {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list) || !list.every((version) => typeof version === 'string')) return undefined;
    return parseApiVersions(list.join(','));
  } catch {
    return undefined;
  }
}

/** Whether both are the same versions, by either of their names. */
export function isSameVersions(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [ours, others] = [a, b].map((versions) => new Set([...versions].map(nameInList)));
  return ours?.size === others?.size && [...(ours ?? [])].every((version) => others?.has(version));
}

/** The name of a version in the answer to `GET /version/api`. */
function nameInList(version: string): string {
  return /^v\d$/.test(version) ? `${version.slice(1)}.0` : version;
}

/** Versions from which a manager takes privacy flags, and mandatory recipients. */
export function takesPrivacyFlags(versions: ReadonlySet<string>): boolean {
  return ['v2', '2.0', '2.1', '3.0', '4.0', '5.0'].some((version) => versions.has(version));
}

export function takesMandatoryRecipients(versions: ReadonlySet<string>): boolean {
  return versions.has('4.0') || versions.has('5.0');
}

/** Whether pushes are in CBOR. */
export function speaksCbor(versions: ReadonlySet<string>): boolean {
  return versions.has('5.0');
}
