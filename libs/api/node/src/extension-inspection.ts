import { addressCodec, defineMethod, hashCodec, optionalParam, param, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, CONTRACT, OTHER_PTM_KEY, PTM_KEY, RECIPIENT } from './examples.js';
import { ptmKeyCodec } from './wire/ptm-key.js';

const count = z.int().nonnegative();

const referredCodec = z.object({
  address: addressCodec,
  foundIn: z.enum(['code', 'storage']),
  privacyFlag: z.int(),
  /** Absent with flag 0, for which they are not recorded. */
  parties: z.array(ptmKeyCodec).optional(),
  /** Absent where it is not known. */
  isWithNewParty: z.boolean().optional(),
});

const heldCodec = z.object({
  codeHash: hashCodec,
  codeBytes: count,
  balance: quantityCodec,
  nonce: quantityCodec,
  storageRoot: hashCodec,
  privacyFlag: z.int(),
  parties: z.array(ptmKeyCodec).optional(),
  slots: count.optional(),
  sharedBytes: count.optional(),
  isShareable: z.boolean(),
  refersTo: z.array(referredCodec),
  isSearchComplete: z.boolean(),
});

const heardCodec = z.object({
  ptmKey: ptmKeyCodec,
  /** `stated` by the initiator, and where it is silent by the others. */
  answer: z.enum(['stated', 'confirmed', 'contradicted', 'silent']),
  /** Public key of the node that signed; absent for a silent party, as all that follows. */
  node: z.string().optional(),
  codeHash: hashCodec.optional(),
  storageRoot: hashCodec.optional(),
  balance: quantityCodec.optional(),
  nonce: quantityCodec.optional(),
});

const extensionCodec = z.object({
  managementContractAddress: addressCodec,
  managementCodeHash: hashCodec.optional(),
  initiator: addressCodec,
  initiatorPtmKey: ptmKeyCodec.optional(),
  recipient: addressCodec,
  recipientPtmKey: ptmKeyCodec,
  parties: z.array(ptmKeyCodec),
  isInitiator: z.boolean(),
  isRecipient: z.boolean(),
  isApproved: z.boolean(),
  votes: z.array(z.object({ account: addressCodec, hasVoted: z.boolean() })),
  /** What nodes of the contract's parties say of it; absent at other nodes than the recipient's. */
  heard: z.array(heardCodec).optional(),
});

const inspectionCodec = z.object({
  block: count,
  contract: addressCodec,
  limits: z.object({ slots: count, bytes: count }),
  /** Absent on a node that does not have the contract. */
  held: heldCodec.optional(),
  extensions: z.array(extensionCodec),
  extensionCount: count,
});

export type ExtensionInspectionView = z.output<typeof inspectionCodec>;

/** A question beyond the interface document. */
export const chainExtensionInspectionMethods = {
  chainExtension_inspect: defineMethod({
    summary:
      'What this node knows of a private contract before it is extended, and of its active extensions before they are approved.',
    params: [
      param('address', addressCodec, 'private contract, or management contract of an active extension of it'),
      optionalParam(
        'newRecipientPtmPublicKey',
        ptmKeyCodec,
        'PTM key of the new participant; that of the active extension when absent and there is only one',
      ),
    ],
    result: inspectionCodec,
    errors: [
      'NOT_A_PRIVATE_CONTRACT',
      'PRIVACY_NOT_AVAILABLE',
      'PRIVATE_STATE_NOT_AVAILABLE',
      'TOO_MANY_CONCURRENT_REQUESTS',
      'TRANSACTION_MANAGER_UNAVAILABLE',
    ],
    source: 'this project: for people who decide on an extension',
    examples: [
      {
        summary: 'at the node of the recipient, which does not have the contract yet',
        params: [CONTRACT],
        result: {
          block: 120,
          contract: CONTRACT,
          limits: { slots: 100_000, bytes: 7_340_032 },
          extensions: [
            {
              managementContractAddress: '0x4d3bfd7821e237ffe84209d8e638f9f309865b87',
              managementCodeHash: `0x${'c0'.repeat(32)}`,
              initiator: ACCOUNT,
              initiatorPtmKey: PTM_KEY,
              recipient: RECIPIENT,
              recipientPtmKey: OTHER_PTM_KEY,
              parties: [OTHER_PTM_KEY],
              isInitiator: false,
              isRecipient: true,
              isApproved: false,
              votes: [
                { account: ACCOUNT, hasVoted: true },
                { account: RECIPIENT, hasVoted: false },
              ],
              heard: [
                {
                  ptmKey: PTM_KEY,
                  answer: 'stated',
                  node: '5c'.repeat(64),
                  codeHash: `0x${'d1'.repeat(32)}`,
                  storageRoot: `0x${'e2'.repeat(32)}`,
                  balance: '0x0',
                  nonce: '0x1',
                },
              ],
            },
          ],
          extensionCount: 1,
        },
      },
    ],
  }),
};
