import type * as KmsSdk from '@aws-sdk/client-kms';
import { RemoteKeyError } from '../remote-key-error.js';

/**
 * Which keys of a region are wanted. A key is, when each of its tags has a name among the names and a value among the values; an empty
 * list permits all.
 *
 * Source: Consensys/web3signer, AwsKmsClient.matchesTag
 */
export interface AwsTagFilter {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

export interface AwsKmsConnection {
  readonly sdk: typeof KmsSdk;
  readonly client: KmsSdk.KMSClient;
}

const IDS_A_PAGE = 1_000;
/** Each is one request, or two. */
const MAX_KEYS = 10_000;
const KEYS_AT_A_TIME = 8;
/** A key of AWS has at most that many. */
const MAX_TAGS = 50;

/**
 * Ids of the enabled secp256k1 keys that sign and that the filter permits.
 *
 * @throws RemoteKeyError UNSUPPORTED for more than 10,000 keys; what the SDK throws
 */
export async function listSigningKeys(
  connection: AwsKmsConnection,
  filter: AwsTagFilter,
  { signal, where }: { readonly signal: AbortSignal; readonly where: string },
): Promise<readonly string[]> {
  const ids = await listIds(connection, signal, where);
  const wanted: string[] = [];
  for (let at = 0; at < ids.length; at += KEYS_AT_A_TIME) {
    const some = ids.slice(at, at + KEYS_AT_A_TIME);
    const areWanted = await Promise.all(some.map((id) => isWanted(connection, { id, filter }, signal)));
    wanted.push(...some.filter((_, index) => areWanted[index]));
  }
  return wanted;
}

async function listIds(
  { sdk, client }: AwsKmsConnection,
  signal: AbortSignal,
  where: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let marker: string | undefined;
  do {
    const command = new sdk.ListKeysCommand({ Limit: IDS_A_PAGE, Marker: marker });
    const { Keys = [], NextMarker } = await client.send(command, { abortSignal: signal });
    ids.push(...Keys.flatMap(({ KeyId }) => KeyId ?? []));
    if (ids.length > MAX_KEYS)
      throw new RemoteKeyError('UNSUPPORTED', `${where}: has more than ${MAX_KEYS} keys`);
    marker = NextMarker;
  } while (marker !== undefined);
  return ids;
}

async function isWanted(
  { sdk, client }: AwsKmsConnection,
  { id, filter }: { readonly id: string; readonly filter: AwsTagFilter },
  signal: AbortSignal,
): Promise<boolean> {
  const options = { abortSignal: signal };
  const { KeyMetadata: key } = await client.send(new sdk.DescribeKeyCommand({ KeyId: id }), options);
  const signs = key?.KeySpec === 'ECC_SECG_P256K1' && key.KeyUsage === 'SIGN_VERIFY';
  if (!signs || key.KeyState !== 'Enabled') return false;
  if (filter.names.length === 0 && filter.values.length === 0) return true;
  const command = new sdk.ListResourceTagsCommand({ KeyId: id, Limit: MAX_TAGS });
  const { Tags = [] } = await client.send(command, options);
  const permits = (list: readonly string[], given: string | undefined) =>
    list.length === 0 || list.includes(given ?? '');
  return Tags.every(
    ({ TagKey, TagValue }) => permits(filter.names, TagKey) && permits(filter.values, TagValue),
  );
}
