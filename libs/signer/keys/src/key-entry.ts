import { createHash } from 'node:crypto';
import type { Address } from '@tetrad/types';
import { KeyLoadError } from './key-load-error.js';
import type { SigningKey } from './signing-key.js';

/** One key that a source offers, not opened yet. */
export interface KeyEntry {
  /** What configures it: the path of a file. Unique within its source. */
  readonly name: string;
  /** Changes when anything that the key is made from changes: settings, key file, password file. */
  readonly fingerprint: string;
  /** Whether opening asks another host, whose answer may change while the fingerprint does not. */
  readonly isRemote: boolean;
  /** The address that the entry says its key has, before it is opened; absent when it says none. */
  readonly address?: Address | undefined;
  /** What an operator should know although the key works. */
  readonly caution?: string | undefined;
  /** @throws KeyLoadError */
  open(): Promise<SigningKey>;
}

/** Something that should configure a key and does not. */
export interface FaultyEntry {
  readonly name: string;
  readonly fault: string;
  /** Whether it may go better with nothing changed. */
  readonly isTransient?: boolean;
}

export type ScannedEntry = KeyEntry | FaultyEntry;

/** Names of web3signer's health checks, by how keys are configured (docs/spec/signing-proxy.md#health-metrics-reloading). */
export type KeysCheckId =
  | 'keys-check/config-files-loading'
  | 'keys-check/v3-keystores-bulk-loading'
  | 'keys-check/aws-bulk-loading'
  | 'keys-check/azure-bulk-loading';

export interface ScanOptions {
  /** Whether other hosts are asked again for what they offer. */
  readonly refresh: boolean;
}

/** Where keys come from. */
export interface KeySource {
  /** Unique among the sources of a process. */
  readonly id: string;
  readonly check: KeysCheckId;
  /** Whether it is one key that was asked for by name, without which the process does not start. */
  readonly isSingle: boolean;
  /** Folders whose changes may change what it offers. */
  readonly folders: readonly string[];
  /** Why it offers no key, where nothing is an oversight more likely than a wish. */
  readonly whenEmpty?: string;
  /**
   * What it offers now; secrets stay inside the entries.
   * @throws KeyLoadError when it cannot be read at all
   */
  scan(options: ScanOptions): Promise<readonly ScannedEntry[]>;
  /**
   * Calls back when what it offers may have changed, other than in its folders.
   * @returns ends that
   */
  watch?(onChange: () => void): () => void;
}

/** What all sources offer at one time. */
export type Scan = readonly (readonly [KeySource, ScannedEntry])[];

/** SHA-256 over the parts, each as length (8, big-endian) ‖ bytes, so that no two lists give the same. */
export function fingerprintOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = Buffer.from(part, 'utf8');
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    hash.update(length).update(bytes);
  }
  return hash.digest('hex');
}

/** @throws KeyLoadError when the key is that of another address than the one its file is named for */
export function assertAddress(key: SigningKey, expected: Address | undefined): void {
  if (expected !== undefined && key.address !== expected) {
    throw new KeyLoadError(`the file is named for ${expected}, its key is that of ${key.address}`);
  }
}
