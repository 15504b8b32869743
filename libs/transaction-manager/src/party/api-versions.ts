/** Tells a peer which versions the sender of a request knows: a list between commas. */
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
