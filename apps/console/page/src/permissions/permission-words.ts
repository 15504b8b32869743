/** Which contracts the network has; they differ in what an access permits, and in how they know a node. */
export type PermissionModel = 'v1' | 'v2';

/** What a status means, and how it is coloured. */
export interface StatusWord {
  readonly word: string;
  readonly kind: 'good' | 'warn' | 'bad';
}

type Words = Readonly<Record<number, StatusWord>>;
const good = (word: string): StatusWord => ({ word, kind: 'good' });
const waits = (word: string): StatusWord => ({ word, kind: 'warn' });
const bad = (word: string): StatusWord => ({ word, kind: 'bad' });

/** Source: numbers of libs/node/permissions/permissioning/src/records/entries.ts, as the methods of a node answer them */
export const ORG_WORDS: Words = {
  1: waits('proposed'),
  2: good('approved'),
  3: waits('suspension proposed'),
  4: bad('suspended'),
  5: waits('end of suspension proposed'),
};
export const ACCOUNT_WORDS: Words = {
  1: waits('admin role proposed'),
  2: good('active'),
  3: bad('inactive'),
  4: bad('suspended'),
  5: bad('denylisted'),
  6: bad('replaced as admin'),
  7: waits('recovery proposed'),
};
export const NODE_WORDS: Words = {
  1: waits('proposed'),
  2: good('approved'),
  3: bad('deactivated'),
  4: bad('denylisted'),
  5: waits('recovery proposed'),
};

/** Contracts of others may have a status that is not defined. */
export const wordOf = (words: Words, status: number): StatusWord => words[status] ?? bad(`status ${status}`);

/** Source: GoQuorum's documentation, "Account access types" */
const ACCESS: Readonly<Record<PermissionModel, readonly string[]>> = {
  v1: ['nothing', 'transfers and calls', 'everything', 'everything'],
  v2: [
    'nothing',
    'transfers',
    'deployment',
    'everything',
    'calls',
    'transfers and calls',
    'transfers and deployment',
    'calls and deployment',
  ],
};

/** What a role of that access may send; the number alone while the model is not known. */
export function accessInWords(access: number, model: PermissionModel | undefined): string {
  const words = model === undefined ? undefined : ACCESS[model][access];
  return words === undefined ? `access ${access}` : `${words} (${access})`;
}
