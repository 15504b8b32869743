import { idFromAddress, idInAddress } from './permission-ids.js';

export const SUBJECTS = ['account', 'node', 'org'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What each of them may do; of an organization only whether it is active. */
export const ACTIONS: Readonly<Record<Subject, readonly string[]>> = {
  account: ['transfer', 'call', 'deploy', 'extend'],
  node: ['connect'],
  org: [],
};

/** A question about a permission, as the method of a node takes it. */
export interface Question {
  readonly subject: Subject;
  readonly id: string;
  readonly action: string | undefined;
  /** Recipient of the transaction of an account. */
  readonly to: string | undefined;
}

/** The question of an address; undefined when there is none. */
export function questionIn(search: URLSearchParams): Question | undefined {
  const subject = SUBJECTS.find((one) => one === search.get('subject'));
  const id = idFromAddress(search.get('id'));
  if (subject === undefined || id === undefined) return undefined;
  const action = ACTIONS[subject].find((one) => one === search.get('action'));
  const to = subject === 'account' ? (search.get('to') ?? undefined) : undefined;
  return { subject, id, action: action ?? ACTIONS[subject][0], to };
}

export function pathOfQuestion({ subject, id, action, to }: Question): string {
  const more = {
    ...(action === undefined ? {} : { action }),
    ...(subject === 'account' && to ? { to } : {}),
  };
  const rest = Object.entries(more).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  return `/permissions/explain?subject=${subject}&id=${idInAddress(id)}${rest.join('')}`;
}
