import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const FOLDER = join(import.meta.dirname, '../../../libs/node/privacy/private-state/vectors');

interface Answer<T> {
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

export interface ReceiptView {
  readonly blockNumber: string;
  readonly contractAddress: string | null;
  readonly from: string;
  readonly isPrivacyMarkerTransaction: boolean;
  readonly logs: readonly { address: string; topics: readonly string[]; data: string; logIndex: string }[];
  readonly logsBloom: string;
  readonly status: string;
  readonly to: string | null;
}

export interface PrivateView {
  readonly from: string;
  readonly gas: string;
  readonly nonce: string;
  readonly to: string | null;
  readonly value: string;
}

/** What a client did at one node, and what the three nodes, in their order, showed of it. */
export interface PrivacyStep {
  readonly name: string;
  readonly node: number;
  readonly args: Readonly<Record<string, unknown>> & { readonly to?: string };
  readonly error?: NonNullable<Answer<never>['error']>;
  readonly block?: string;
  readonly transaction?: { readonly nonce: string; readonly gas: string; readonly to: string | null };
  readonly receipts?: readonly ReceiptView[];
  readonly private?: readonly {
    readonly byHash: Answer<PrivateView | null>;
    readonly receipt: Answer<ReceiptView | null>;
  }[];
  readonly payloads?: readonly Answer<string>[];
  readonly address?: string;
  readonly metadata?: readonly Answer<{ readonly privacyFlag: number }>[];
  readonly storageRoot?: readonly Answer<string>[];
  readonly codeLength?: readonly number[];
  readonly values?: readonly Answer<string>[];
}

export interface RecordedPrivacy {
  readonly managerKeys: readonly string[];
  readonly accounts: readonly string[];
  readonly steps: readonly PrivacyStep[];
  readonly blocks: readonly { readonly number: number; readonly privateRoots: readonly string[] }[];
}

/** A chain recorded from a running GoQuorum. Source: ORIGIN.md beside it */
export function recordedPrivacy(name: 'private' | 'marker'): RecordedPrivacy {
  const text = gunzipSync(readFileSync(join(FOLDER, `${name}.json.gz`))).toString('utf8');
  return JSON.parse(text) as RecordedPrivacy;
}
