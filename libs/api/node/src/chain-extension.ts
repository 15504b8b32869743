import { addressCodec, dataCodec, defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, CONTRACT, PAYLOAD_DIGEST, PTM_KEY, RECIPIENT, TRANSACTION_HASH } from './examples.js';
import { ACCOUNT_ERRORS, POOL_ERRORS, PRIVACY_ERRORS } from './errors.js';
import { integersInTransaction } from './tolerances.js';
import { ptmKeyCodec } from './wire/ptm-key.js';
import { sendRequestCodec, transactionArgumentsCodec } from './wire/send-request.js';
import { payloadDigestTextCodec, textSchema } from './wire/text.js';

const SOURCE = 'interface document, "Node interface: contract extension"';
const MANAGEMENT_CONTRACT = '0x4d3bfd7821e237ffe84209d8e638f9f309865b87';

const SEND_ERRORS = [
  ...ACCOUNT_ERRORS,
  ...POOL_ERRORS,
  ...PRIVACY_ERRORS,
  'TOO_MANY_CONCURRENT_REQUESTS',
] as const;

const txArgs = param('txArgs', transactionArgumentsCodec, 'sender, and in privateFor the other party');
const managementContract = addressCodec;

const extensionCodec = z.object({
  managementContractAddress: addressCodec,
  contractExtended: addressCodec,
  /** Digest of the creation data in the transaction manager: base64 on the wire, 64 bytes. */
  creationData: payloadDigestTextCodec,
  initiator: addressCodec,
  recipient: addressCodec,
  recipientPtmKey: ptmKeyCodec,
});

/** Extension of a private contract to a new participant. */
export const chainExtensionMethods = {
  chainExtension_activeExtensionContracts: defineMethod({
    summary: 'Active extensions of which this node is the initiator or the receiver.',
    params: [],
    result: z.array(extensionCodec),
    source: SOURCE,
    examples: [
      {
        summary: 'with one active',
        params: [],
        result: [
          {
            managementContractAddress: MANAGEMENT_CONTRACT,
            contractExtended: CONTRACT,
            creationData: `${'5OTk'.repeat(21)}5A==`,
            initiator: ACCOUNT,
            recipient: RECIPIENT,
            recipientPtmKey: PTM_KEY,
          },
        ],
      },
    ],
  }),
  chainExtension_approveExtension: defineMethod({
    summary: 'Votes for or against an extension; false cancels it.',
    params: [
      param('addressToVoteOn', managementContract, 'management contract of the extension'),
      param('vote', z.boolean(), 'true approves, false cancels'),
      txArgs,
    ],
    result: hashCodec,
    errors: [
      ...SEND_ERRORS,
      'EXTENSION_COMPLETE',
      'NOT_THE_ACCEPTOR',
      'ALREADY_VOTED',
      'PRIVATE_PARTICIPANTS_MISSING',
      'NOT_AN_ADMIN_ACCOUNT',
      'NO_MANAGEMENT_CONTRACT',
    ],
    accepts: [integersInTransaction(2)],
    caller: 'recipient of the extension',
    source: SOURCE,
    examples: [
      {
        summary: 'approves',
        params: [
          MANAGEMENT_CONTRACT,
          true,
          { from: RECIPIENT, value: '0x0', privateFor: [PTM_KEY], privacyFlag: 0 },
        ],
        result: TRANSACTION_HASH,
      },
    ],
  }),
  chainExtension_cancelExtension: defineMethod({
    summary: 'Cancels an active extension.',
    params: [param('extensionContract', managementContract, 'management contract of the extension'), txArgs],
    result: hashCodec,
    errors: [
      ...SEND_ERRORS,
      'EXTENSION_COMPLETE',
      'NOT_THE_CREATOR',
      'PRIVATE_PARTICIPANTS_MISSING',
      'NO_MANAGEMENT_CONTRACT',
    ],
    accepts: [integersInTransaction(1)],
    caller: 'initiator of the extension',
    source: SOURCE,
    examples: [
      {
        summary: 'cancels',
        params: [MANAGEMENT_CONTRACT, { from: ACCOUNT, privateFor: [PTM_KEY] }],
        result: TRANSACTION_HASH,
      },
    ],
  }),
  chainExtension_extendContract: defineMethod({
    summary: 'Starts to extend a private contract of this node to a new participant.',
    params: [
      param('toExtend', addressCodec, 'private contract'),
      param('newRecipientPtmPublicKey', textSchema, 'PTM key of the new participant'),
      param('recipientAddress', addressCodec, 'account of the new participant, which must approve'),
      txArgs,
    ],
    result: hashCodec,
    errors: [
      ...SEND_ERRORS,
      'EXTENSION_IN_PROGRESS',
      'NOT_A_PRIVATE_CONTRACT',
      'INVALID_RECIPIENT',
      'NOT_THE_CONTRACT_CREATOR',
      'NOT_AN_ADMIN_ACCOUNT',
      'INVALID_RECIPIENT_PTM_KEY',
      'RECIPIENT_PTM_KEY_MISMATCH',
      'STORAGE_TOO_LARGE',
    ],
    accepts: [integersInTransaction(3)],
    caller: 'network or organization admin account, with enhanced network permissioning',
    source: SOURCE,
    examples: [
      {
        summary: 'starts an extension',
        params: [
          CONTRACT,
          PTM_KEY,
          RECIPIENT,
          { from: ACCOUNT, value: '0x0', privateFor: [PTM_KEY], privacyFlag: 0 },
        ],
        result: TRANSACTION_HASH,
      },
    ],
  }),
  chainExtension_getExtensionStatus: defineMethod({
    summary: 'DONE once an extension was accepted, rejected or cancelled, ACTIVE before.',
    params: [param('managementContractAddress', managementContract, 'management contract of the extension')],
    result: z.enum(['ACTIVE', 'DONE']),
    errors: [
      'NO_MANAGEMENT_CONTRACT',
      'PRIVACY_NOT_AVAILABLE',
      'PRIVATE_STATE_NOT_AVAILABLE',
      'TOO_MANY_CONCURRENT_REQUESTS',
    ],
    source: SOURCE,
    examples: [{ summary: 'active', params: [MANAGEMENT_CONTRACT], result: 'ACTIVE' }],
  }),
};

/** For approvals that are signed outside of the node. */
export const chainExtensionApprovalMethods = {
  chainExtension_generateExtensionApprovalUuid: defineMethod({
    summary: 'What an approval carries that is signed elsewhere: the argument nextuuid of doVote.',
    params: [
      param('addressToVoteOn', managementContract, 'management contract of the extension'),
      param('externalSignerAddress', addressCodec, 'account that signs the vote: the recipient'),
      param('txArgs', sendRequestCodec, 'in privateFor the initiating node; privateFrom counts too'),
    ],
    result: dataCodec,
    errors: [
      ...new Set([...PRIVACY_ERRORS, 'TOO_MANY_CONCURRENT_REQUESTS'] as const),
      'EXTENSION_COMPLETE',
      'NOT_THE_ACCEPTOR',
      'ALREADY_VOTED',
      'PRIVATE_PARTICIPANTS_MISSING',
      'NOT_AN_ADMIN_ACCOUNT',
      'NO_MANAGEMENT_CONTRACT',
    ],
    accepts: [integersInTransaction(2)],
    caller: 'recipient of the extension',
    source: 'GoQuorum’s quorumExtension_generateExtensionApprovalUuid',
    examples: [
      {
        summary: 'prepares an approval',
        params: [MANAGEMENT_CONTRACT, RECIPIENT, { from: RECIPIENT, privateFor: [PTM_KEY] }],
        result: PAYLOAD_DIGEST,
      },
    ],
  }),
};
