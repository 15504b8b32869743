import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { developmentAccounts, type DevelopmentAccount } from '@tetrad/testkit';
import { BANK_KEY, VALIDATOR_KEY } from './permissioned-network.js';

const FILE = join(import.meta.dirname, '../vectors/permission-sessions/goquorum-v1.json.gz');

type Entry = Readonly<Record<string, unknown>>;

/** What the contracts hold, as a node lists it; in no order. */
export interface PermissionLists {
  readonly orgList: readonly Entry[];
  readonly acctList: readonly Entry[];
  readonly nodeList: readonly Entry[];
  readonly roleList: readonly Entry[];
}
export const LISTS = ['orgList', 'acctList', 'nodeList', 'roleList'] as const;

export interface MinedView {
  readonly status: string;
  readonly gasUsed: string;
  /** The first four bytes of each event's topic. */
  readonly topics: readonly string[];
  /** What the call answers in place of an effect. */
  readonly revert?: string;
}

/** What a client asked one of the nodes, and what came of it. */
export interface PermissionStep {
  readonly n: number;
  readonly name: string;
  readonly node: 0 | 1;
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  /** A text where the recorder waited in vain. */
  readonly mined?: MinedView | string;
  readonly after: PermissionLists;
}

/** Names that the session gives its accounts; every node holds the keys of all. */
const NAMES = ['NA1', 'NA2', 'NA3', 'OA1', 'OA2', 'OB1', 'SOA', 'U1', 'U2', 'U3', 'X'];
export const SESSION_ACCOUNTS: readonly DevelopmentAccount[] = developmentAccounts(NAMES.length, 'session');

export function accountNamed(name: string): string {
  const account = SESSION_ACCOUNTS[NAMES.indexOf(name)];
  if (account === undefined) throw new Error(`the session has no account ${name}`);
  return account.address;
}

/** Id of a node of the session; the first two are running. */
export function nodeIdOf(index: number): string {
  const key = [VALIDATOR_KEY, BANK_KEY][index] ?? Buffer.alloc(32, 0x60 + index);
  return Buffer.from(publicKeyFromPrivateKey(key)).toString('hex');
}

/** The session as it would be with the accounts and nodes of this process. Source: ORIGIN.md beside it */
export function recordedPermissions(): readonly PermissionStep[] {
  const { steps } = JSON.parse(gunzipSync(readFileSync(FILE)).toString('utf8')) as {
    readonly steps: unknown;
  };
  const named = JSON.stringify(steps).replace(
    /\$(?:ID(\d+)(_UPPER)?|([A-Z]+\d*))/g,
    (token, id?: string, upper?: string, name?: string) => {
      if (id === undefined) return name === 'HASH' ? token : accountNamed(name as string);
      return upper === undefined ? nodeIdOf(Number(id)) : nodeIdOf(Number(id)).toUpperCase();
    },
  );
  return JSON.parse(named) as readonly PermissionStep[];
}

/** The lists in one order, each entry with its members in theirs. */
export function inOrder(lists: PermissionLists): PermissionLists {
  const sorted = LISTS.map((name) => [name, sortEntries(lists[name])] as const);
  return Object.fromEntries(sorted) as unknown as PermissionLists;
}

/** Sorts the lists of a result, which come in any order too; values that are not objects are unchanged. */
export function resultInOrder(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const members = Object.entries(result).map(([name, value]) => [
    name,
    Array.isArray(value) ? sortEntries(value) : (value as unknown),
  ]);
  return Object.fromEntries(members);
}

function sortEntries<T>(entries: readonly T[]): readonly T[] {
  const keyed = entries.map((entry) => [JSON.stringify(entry), entry] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}
