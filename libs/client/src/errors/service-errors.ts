import { BaseError } from 'viem';
import { CLIENT_PAGE } from './documentation.js';

/** What is at the URL has no chain, and none of the actions that were asked for. */
export class UnexpectedServiceError extends BaseError {
  readonly service: string;

  constructor({ url, service }: { url: string; service: 'wallet' | 'rollup-operator' }) {
    super(`There is no node at ${url}, but ${SERVICES[service].name}.`, {
      ...CLIENT_PAGE,
      docsSlug: 'connect',
      metaMessages: [SERVICES[service].advice],
      name: 'UnexpectedServiceError',
    });
    this.service = service;
  }
}

const SERVICES = {
  wallet: {
    name: 'a wallet of a coin network',
    advice: 'Its client is `createClient({ transport: http(url) }).extend(coinActions())`.',
  },
  'rollup-operator': {
    name: 'an operator of the rollup',
    advice: 'Accounts of the rollup are used with `./tetrad rollup`; give this client the URL of a node.',
  },
} as const;
