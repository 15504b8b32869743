import type { PrivacyMetadata } from './requests.js';

/** What a manager of some version can do. */
export interface ManagerFeatures {
  /** The highest API version, as `3.0`. */
  readonly version: string;
  /** Privacy flags 1 to 3 (API 2.0). */
  readonly privacyFlags: boolean;
  /** The media type with the sender and the own keys (API 2.1). */
  readonly versionedTypes: boolean;
  /** Resident groups (API 3.0). */
  readonly privateStates: boolean;
  /** Privacy flag 2 (API 4.0). */
  readonly mandatoryRecipients: boolean;
  /** Several payloads in one request: docs/spec/transaction-manager.md#lookups. */
  readonly joinedLookups: boolean;
  /** As that, of payloads that wait for their signed transaction. */
  readonly joinedRawLookups: boolean;
  /** Hands such payloads over before they are asked for. */
  readonly rawFeed: boolean;
  /** Sends several stored payloads in one request: docs/spec/transaction-manager.md#groups-of-sends. */
  readonly sendGroups: boolean;
  /** Messages between the nodes of parties: docs/spec/transaction-manager.md#messages. */
  readonly partyMessages: boolean;
  /** Takes several of them in one request. */
  readonly messageGroups: boolean;
}

/** Header of the answer to `GET /version/api` of a manager that has joined lookups; its value is 2 where raw ones are joined too, 3 where they are handed over. */
const LOOKUPS_HEADER = 'tetrad-payload-lookups';

/** As that, of a manager that sends groups. */
const SENDS_HEADER = 'tetrad-send-groups';

/** As that, of a manager that carries messages. */
const MESSAGES_HEADER = 'tetrad-party-messages';

/** As that, of a manager that takes several messages in one request. */
const GROUPED_MESSAGES_HEADER = 'tetrad-message-groups';

/** Version of managers from before `GET /version/api`. */
export const OLDEST_VERSION = '1.0';

/**
 * What a manager that answers these API versions can do.
 * @param versions - as `2.1`, or `v2`
 * @param headers - of the answer
 */
export function featuresOf(
  versions: readonly string[],
  headers: Readonly<Record<string, unknown>> = {},
): ManagerFeatures {
  const numbers = versions.map(parseVersion);
  const highest = numbers.reduce((most, one) => (isAtLeast(one, most) ? one : most), [1, 0]);
  const has = (major: number, minor: number) => isAtLeast(highest, [major, minor]);
  return {
    version: highest.join('.'),
    privacyFlags: has(2, 0),
    versionedTypes: has(2, 1),
    privateStates: has(3, 0),
    mandatoryRecipients: has(4, 0),
    joinedLookups: headers[LOOKUPS_HEADER] !== undefined,
    joinedRawLookups: Number(headers[LOOKUPS_HEADER]) >= 2,
    rawFeed: Number(headers[LOOKUPS_HEADER]) >= 3,
    sendGroups: headers[SENDS_HEADER] !== undefined,
    partyMessages: headers[MESSAGES_HEADER] !== undefined,
    messageGroups: headers[GROUPED_MESSAGES_HEADER] !== undefined,
  };
}

function parseVersion(text: string): number[] {
  const [major, minor = 0] = text.replace(/^v/, '').split('.', 2).map(Number);
  return [Number.isFinite(major) ? (major as number) : 0, Number.isFinite(minor) ? minor : 0];
}

function isAtLeast([major = 0, minor = 0]: readonly number[], [a = 0, b = 0]: readonly number[]): boolean {
  return major > a || (major === a && minor >= b);
}

/**
 * What a request needs and the manager does not have: a manager takes what it does not know for something else, silently.
 *
 * @returns as the error names it; undefined when nothing is missing
 */
export function missingFeature(
  { privacyFlag, mandatoryFor }: PrivacyMetadata,
  features: ManagerFeatures,
): string | undefined {
  if (privacyFlag !== 0 && !features.privacyFlags) return 'privacy enhancements';
  return mandatoryFor.length > 0 && !features.mandatoryRecipients ? 'mandatory recipients' : undefined;
}
