import { nodeMethods, nodeStandardMethods, restrictedMethods } from '@tetrad/api-node';
import {
  rollupConsentMethods,
  rollupNoticeMethods,
  rollupOperatorMethods,
  rollupQueueMethods,
} from '@tetrad/api-rollup-operator';
import { signerMethods, signerStandardMethods } from '@tetrad/api-signer';
import { walletMethods } from '@tetrad/api-wallet';
import type { MethodTable } from '@tetrad/rpc';

/** A service, as the documents describe it. */
export interface Service {
  /** As in `apps/<name>` and `docs/reference/openrpc/<name>.json`. */
  readonly name: 'node' | 'signer' | 'rollup-operator' | 'wallet';
  readonly title: string;
  /** Methods of the interface document. */
  readonly methods: MethodTable;
  /** Methods beyond it, which clients of the same family need. */
  readonly standardMethods: MethodTable;
}

export const services: readonly Service[] = [
  {
    name: 'node',
    title: 'Tetrad node',
    methods: nodeMethods,
    standardMethods: { ...nodeStandardMethods, ...restrictedMethods },
  },
  { name: 'signer', title: 'Tetrad signer', methods: signerMethods, standardMethods: signerStandardMethods },
  {
    name: 'rollup-operator',
    title: 'Tetrad rollup operator',
    methods: rollupOperatorMethods,
    standardMethods: { ...rollupConsentMethods, ...rollupNoticeMethods, ...rollupQueueMethods },
  },
  { name: 'wallet', title: 'Tetrad wallet', methods: walletMethods, standardMethods: {} },
];
