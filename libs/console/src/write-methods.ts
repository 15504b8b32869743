import { chainExtensionMethods, chainPermissionWriteMethods, ibftMethods } from '@tetrad/api-node';
import { signerMethods } from '@tetrad/api-signer';
import type { MethodTable } from '@tetrad/rpc';

/** What the console can write to. */
export type WritableKind = 'node' | 'signer';

const { chainExtension_approveExtension, chainExtension_cancelExtension } = chainExtensionMethods;
const { ibft_discard, ibft_propose } = ibftMethods;
const { eth_sendTransaction } = signerMethods;

/**
 * The writes that are let through, with the shapes of their parameters. Sending a transaction is the signer's alone: it has a
 * policy for it and an audit log.
 */
export const WRITES_OF_KIND: Readonly<Record<WritableKind, MethodTable>> = {
  node: {
    ...chainPermissionWriteMethods,
    chainExtension_approveExtension,
    chainExtension_cancelExtension,
    ibft_discard,
    ibft_propose,
  },
  signer: { eth_sendTransaction },
};
