import type {
  ExtensionInspectionView,
  chainExtensionApprovalMethods,
  chainExtensionInspectionMethods,
  chainExtensionMethods,
} from '@tetrad/api-node';
import {
  SHARED_STATE_LIMITS,
  type ContractExtensions,
  type HeardParty,
  type InspectedContract,
} from '@tetrad/node-extension';
import type { Handlers } from '@tetrad/rpc';
import { RequestError, bytesFromHex } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** Extension of private contracts to new parties. */
export function chainExtensionHandlers(
  parts: Pick<NodeParts, 'extensions'>,
): Handlers<
  typeof chainExtensionMethods & typeof chainExtensionApprovalMethods & typeof chainExtensionInspectionMethods
> {
  const extensions = () => extensionsOf(parts);
  return {
    async chainExtension_activeExtensionContracts() {
      const active = (await parts.extensions?.listActive()) ?? [];
      return active.map(({ management, contract, creation, initiator, recipient, recipientKey }) => ({
        managementContractAddress: management,
        contractExtended: contract,
        creationData: creation,
        initiator,
        recipient,
        recipientPtmKey: recipientKey,
      }));
    },
    chainExtension_approveExtension: ([management, approves, txArgs]) =>
      extensions().approve(management, approves, txArgs),
    chainExtension_cancelExtension: ([management, txArgs]) => extensions().cancel(management, txArgs),
    chainExtension_extendContract: ([contract, newRecipientKey, recipient, txArgs]) =>
      extensions().extend({ contract, newRecipientKey, recipient, txArgs }),
    chainExtension_generateExtensionApprovalUuid: async ([management, signer, txArgs]) =>
      bytesFromHex(await extensions().prepareApproval(management, signer, txArgs)),
    async chainExtension_getExtensionStatus([management]) {
      return (await extensions().isFinished(management)) ? 'DONE' : 'ACTIVE';
    },
    async chainExtension_inspect([address, newParty]) {
      return viewInspection(await extensions().inspect(address, newParty));
    },
  };
}

function viewInspection({ held, extensions, ...inspected }: InspectedContract): ExtensionInspectionView {
  return {
    ...inspected,
    limits: SHARED_STATE_LIMITS,
    ...(held && {
      held: {
        ...held,
        parties: held.parties && [...held.parties],
        refersTo: held.refersTo.map((one) => ({ ...one, parties: one.parties && [...one.parties] })),
      },
    }),
    extensions: extensions.map(
      ({ management, recipientKey, initiatorKey, parties, votes, heard, ...extension }) => {
        const { managementCodeHash, initiator, recipient, isInitiator, isRecipient, isApproved } = extension;
        return {
          managementContractAddress: management,
          managementCodeHash,
          initiator,
          recipient,
          initiatorPtmKey: initiatorKey,
          recipientPtmKey: recipientKey,
          parties: [...parties],
          isInitiator,
          isRecipient,
          isApproved,
          votes: [...votes],
          ...(heard && { heard: heard.map(viewHeard) }),
        };
      },
    ),
  };
}

function viewHeard({
  key,
  answer,
  node,
  state,
}: HeardParty): NonNullable<ExtensionInspectionView['extensions'][number]['heard']>[number] {
  if (state === undefined) return { ptmKey: key, answer };
  const { codeHash, storageRoot, balance, nonce } = state;
  return { ptmKey: key, answer, node, codeHash, storageRoot, balance, nonce };
}

/** @throws RequestError PRIVACY_NOT_AVAILABLE */
function extensionsOf({ extensions }: Pick<NodeParts, 'extensions'>): ContractExtensions {
  if (extensions !== undefined) return extensions;
  throw new RequestError('PRIVACY_NOT_AVAILABLE', 'PrivateTransactionManager is not enabled');
}
