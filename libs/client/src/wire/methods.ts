// Generated from libs/api by `node libs/reference/dist/main.js`.
import type { Address, Hash, Hex } from 'viem';

/** Why a rule rejects a request: `error.data.reason`. */
export type ErrorReason =
  | 'ACCOUNT_ALREADY_ORG_ADMIN'
  | 'ACCOUNT_DENYLISTED'
  | 'ACCOUNT_IN_USE'
  | 'ACCOUNT_LIMIT_EXCEEDED'
  | 'ACCOUNT_LOCKED'
  | 'ACCOUNT_NOT_FOUND'
  | 'ACCOUNT_NOT_PERMITTED'
  | 'ACCOUNT_ORG_MISMATCH'
  | 'ADDRESS_INDEX_DISABLED'
  | 'ADDRESS_INDEX_NOT_AVAILABLE'
  | 'ADMIN_ROLE_NOT_REMOVABLE'
  | 'ALREADY_IN_CLUSTER'
  | 'ALREADY_KNOWN'
  | 'ALREADY_VOTED'
  | 'AMOUNT_TOO_LOW'
  | 'BLIND_SIGNING_REFUSED'
  | 'BLOCK_NOT_AVAILABLE'
  | 'BLOCK_NOT_FOUND'
  | 'CALLBACK_URL_NOT_ALLOWED'
  | 'CHAIN_ID_MISMATCH'
  | 'CLUSTER_REFUSED'
  | 'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT'
  | 'CONSENSUS_NOT_AVAILABLE'
  | 'CONSENTS_NOT_SUPPORTED'
  | 'CONTRACT_NOT_FOUND'
  | 'DAMAGED_KEY'
  | 'DATABASE_UNAVAILABLE'
  | 'DOWNSTREAM_NODE_NOT_TRUSTED'
  | 'EARLIER_MONEY_ORDER_OPEN'
  | 'EMPTY_CONTRACT_CREATION'
  | 'ENDPOINT_IN_USE'
  | 'EXECUTION_FAILED'
  | 'EXECUTION_TIMEOUT'
  | 'EXTENSION_COMPLETE'
  | 'EXTENSION_IN_PROGRESS'
  | 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE'
  | 'FEE_CAP_TOO_LOW'
  | 'FILTER_NOT_FOUND'
  | 'FORBIDDEN'
  | 'GAS_LIMIT_EXCEEDED'
  | 'GAS_NOT_SPECIFIED'
  | 'GAS_PRICE_NOT_SPECIFIED'
  | 'GAS_PRICE_NOT_ZERO'
  | 'GAS_REQUIRED_EXCEEDS_ALLOWANCE'
  | 'GENESIS_NOT_TRACEABLE'
  | 'HOST_NAME_NOT_SUPPORTED'
  | 'IDEMPOTENCY_KEY_IN_FLIGHT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INIT_CODE_TOO_LARGE'
  | 'INSUFFICIENT_FUNDS'
  | 'INTRINSIC_GAS_TOO_LOW'
  | 'INVALID_ACCESS_TYPE'
  | 'INVALID_ACCOUNT'
  | 'INVALID_ACCOUNT_SIGNATURE'
  | 'INVALID_BLOCK_NUMBER'
  | 'INVALID_BLOCK_RANGE'
  | 'INVALID_CHAIN_ID'
  | 'INVALID_COIN_ADDRESS'
  | 'INVALID_COIN_MESSAGE'
  | 'INVALID_DIGEST'
  | 'INVALID_ENCRYPTION'
  | 'INVALID_ENODE'
  | 'INVALID_INPUT'
  | 'INVALID_LOG_RANGE'
  | 'INVALID_MERKLE_PROOF'
  | 'INVALID_NODE'
  | 'INVALID_ORG_NAME'
  | 'INVALID_PARENT_ORG'
  | 'INVALID_PAYLOAD_HASH'
  | 'INVALID_PRIVACY_FLAG'
  | 'INVALID_QUESTION'
  | 'INVALID_RECIPIENT'
  | 'INVALID_RECIPIENT_PTM_KEY'
  | 'INVALID_ROLE'
  | 'INVALID_SIGNATURE'
  | 'INVALID_TRACE_RANGE'
  | 'KEY_EXISTS'
  | 'KEY_LOADING'
  | 'KEY_UNAVAILABLE'
  | 'LEARNER_NOT_ALLOWED'
  | 'LOG_LIMIT_EXCEEDED'
  | 'MALFORMED_TRANSACTION'
  | 'MANDATORY_RECIPIENTS_MISSING'
  | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
  | 'MARKER_TRANSACTION_NOT_FOUND'
  | 'MAX_BREADTH_REACHED'
  | 'MAX_DEPTH_REACHED'
  | 'MESSAGE_META_MISMATCH'
  | 'MESSAGE_META_REQUIRED'
  | 'MONEY_ORDER_ALREADY_REDEEMED'
  | 'MONEY_ORDER_NOT_FOUND'
  | 'NODE_ALREADY_PRESENT'
  | 'NODE_DENYLISTED'
  | 'NODE_NOT_FOUND'
  | 'NODE_NOT_PERMITTED'
  | 'NODE_ORG_MISMATCH'
  | 'NONCE_NOT_SPECIFIED'
  | 'NONCE_TOO_HIGH'
  | 'NONCE_TOO_LOW'
  | 'NOTHING_TO_APPROVE'
  | 'NOT_AN_ADMIN_ACCOUNT'
  | 'NOT_A_CLUSTER_MEMBER'
  | 'NOT_A_LEARNER'
  | 'NOT_A_MASTER_ORG'
  | 'NOT_A_PRIVATE_CONTRACT'
  | 'NOT_A_PRIVATE_TRANSACTION'
  | 'NOT_NETWORK_ADMIN'
  | 'NOT_ORG_ADMIN'
  | 'NOT_THE_ACCEPTOR'
  | 'NOT_THE_CONTRACT_CREATOR'
  | 'NOT_THE_CREATOR'
  | 'NO_DEFAULT_ACCOUNT'
  | 'NO_KEYS_FOR_ADDRESS'
  | 'NO_LEADER'
  | 'NO_MANAGEMENT_CONTRACT'
  | 'NO_PRIVACY_METADATA'
  | 'OPERATION_NOT_ALLOWED'
  | 'ORG_EXISTS'
  | 'ORG_NOT_FOUND'
  | 'ORG_SHARE_REACHED'
  | 'OVERSIZED_DATA'
  | 'PARTIES_LEFT_OUT'
  | 'PENDING_APPROVALS'
  | 'PERMISSIONING_NOT_ENABLED'
  | 'PERMISSION_ACTION_FAILED'
  | 'POLICY_RATE_EXCEEDED'
  | 'POLICY_REFUSED'
  | 'POOL_FULL'
  | 'PREIMAGE_NOT_FOUND'
  | 'PRIVACY_ENHANCEMENTS_DISABLED'
  | 'PRIVACY_FLAG_MISMATCH'
  | 'PRIVACY_NOT_AVAILABLE'
  | 'PRIVATE_PARTICIPANTS_MISSING'
  | 'PRIVATE_STATE_NOT_AVAILABLE'
  | 'PRIVATE_STATE_REPAIRED'
  | 'PRIVATE_VALUE_NOT_SUPPORTED'
  | 'QUEUE_FULL'
  | 'QUOTA_EXCEEDED'
  | 'RAFT_NOT_AVAILABLE'
  | 'RATE_LIMITED'
  | 'RECIPIENT_PTM_KEY_MISMATCH'
  | 'REPAIR_REFUSED'
  | 'REPLACEMENT_UNDERPRICED'
  | 'REQUEST_TIMEOUT'
  | 'RESOURCE_UNAVAILABLE'
  | 'RESPONSE_TOO_LARGE'
  | 'ROLE_EXISTS'
  | 'ROLE_HAS_ACCOUNTS'
  | 'ROLE_INACTIVE'
  | 'ROLLUP_ACCOUNT_NOT_FINALIZED'
  | 'ROLLUP_ACCOUNT_NOT_FOUND'
  | 'ROLLUP_ACCOUNT_OPAQUE'
  | 'ROLLUP_FROZEN'
  | 'ROLLUP_FULL'
  | 'SENDER_NOT_EOA'
  | 'SIGNATURE_TYPE_MISMATCH'
  | 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT'
  | 'SIMULATION_BLOCK_NUMBER'
  | 'SIMULATION_BLOCK_TIMESTAMP'
  | 'SIMULATION_FEE_TOO_LOW'
  | 'SIMULATION_GAS_LIMIT_REACHED'
  | 'SIMULATION_INIT_CODE_TOO_LARGE'
  | 'SIMULATION_INSUFFICIENT_FUNDS'
  | 'SIMULATION_INTRINSIC_GAS'
  | 'SIMULATION_LIMIT_EXCEEDED'
  | 'SIMULATION_NONCE_TOO_HIGH'
  | 'SIMULATION_NONCE_TOO_LOW'
  | 'SIMULATION_SENDER_NOT_EOA'
  | 'STATE_NOT_AVAILABLE'
  | 'STATE_OBJECT_NOT_FOUND'
  | 'STORAGE_TOO_LARGE'
  | 'SUBSCRIPTIONS_NEED_WEBSOCKET'
  | 'SUBSCRIPTION_NOT_FOUND'
  | 'TIP_ABOVE_FEE_CAP'
  | 'TOO_MANY_CANDIDATES'
  | 'TOO_MANY_CONCURRENT_REQUESTS'
  | 'TOO_MANY_FILTERS'
  | 'TOO_MANY_SUBSCRIPTIONS'
  | 'TRACE_LIMIT_EXCEEDED'
  | 'TRANSACTION_MANAGER_REFUSED'
  | 'TRANSACTION_MANAGER_UNAVAILABLE'
  | 'TRANSACTION_NOT_FOUND'
  | 'TRANSFER_AMOUNT_TOO_LOW'
  | 'TYPE_NOT_ACTIVE'
  | 'UNDERPRICED'
  | 'UNKNOWN_ACCOUNT'
  | 'UNKNOWN_TOKEN'
  | 'UNSUPPORTED_TRANSACTION_TYPE'
  | 'VAULT_CHANGED';

export interface TxArgsParameter {
  readonly from: Address;
  readonly to?: string | null | undefined;
  readonly gas?: Hex | null | undefined;
  readonly gasPrice?: Hex | null | undefined;
  readonly maxFeePerGas?: Hex | null | undefined;
  readonly maxPriorityFeePerGas?: Hex | null | undefined;
  readonly value?: Hex | null | undefined;
  readonly data?: Hex | null | undefined;
  readonly input?: Hex | null | undefined;
  readonly nonce?: Hex | null | undefined;
  readonly accessList?:
    readonly { readonly address: Address; readonly storageKeys: readonly Hex[] }[] | null | undefined;
  readonly type?: Hex | 0 | 1 | 2 | null | undefined;
  readonly chainId?: Hex | null | undefined;
  readonly privateFrom?: string | null | undefined;
  readonly privateFor?: readonly string[] | null | undefined;
  readonly privacyFlag?: number | null | undefined;
  readonly mandatoryFor?: readonly string[] | null | undefined;
  readonly allowSubset?: boolean | null | undefined;
  readonly restriction?: 'restricted' | null | undefined;
}

export interface TxArgsParameter2 {
  readonly from?: Address | null | undefined;
  readonly to?: string | null | undefined;
  readonly gas?: Hex | null | undefined;
  readonly gasPrice?: Hex | null | undefined;
  readonly maxFeePerGas?: Hex | null | undefined;
  readonly maxPriorityFeePerGas?: Hex | null | undefined;
  readonly value?: Hex | null | undefined;
  readonly data?: Hex | null | undefined;
  readonly input?: Hex | null | undefined;
  readonly nonce?: Hex | null | undefined;
  readonly accessList?:
    readonly { readonly address: Address; readonly storageKeys: readonly Hex[] }[] | null | undefined;
  readonly type?: Hex | 0 | 1 | 2 | null | undefined;
  readonly chainId?: Hex | null | undefined;
  readonly privateFrom?: string | null | undefined;
  readonly privateFor?: readonly string[] | null | undefined;
  readonly privacyFlag?: number | null | undefined;
  readonly mandatoryFor?: readonly string[] | null | undefined;
  readonly allowSubset?: boolean | null | undefined;
  readonly restriction?: 'restricted' | null | undefined;
}

export interface PrivateDataParameter {
  readonly privateFrom?: string | null | undefined;
  readonly privateFor: readonly string[];
  readonly privacyFlag?: number | null | undefined;
  readonly mandatoryFor?: readonly string[] | null | undefined;
  readonly allowSubset?: boolean | null | undefined;
}

export interface TransactionParameter {
  readonly from?: Address | null | undefined;
  readonly to?: string | null | undefined;
  readonly gas?: Hex | null | undefined;
  readonly gasPrice?: Hex | null | undefined;
  readonly maxFeePerGas?: Hex | null | undefined;
  readonly maxPriorityFeePerGas?: Hex | null | undefined;
  readonly value?: Hex | null | undefined;
  readonly data?: Hex | null | undefined;
  readonly input?: Hex | null | undefined;
  readonly nonce?: Hex | null | undefined;
  readonly accessList?:
    readonly { readonly address: Address; readonly storageKeys: readonly Hex[] }[] | null | undefined;
  readonly type?: Hex | 0 | 1 | 2 | null | undefined;
  readonly chainId?: Hex | null | undefined;
  readonly privateFrom?: string | null | undefined;
  readonly privateFor?: readonly string[] | null | undefined;
  readonly privacyFlag?: number | null | undefined;
  readonly mandatoryFor?: readonly string[] | null | undefined;
  readonly allowSubset?: boolean | null | undefined;
  readonly restriction?: 'restricted' | null | undefined;
  readonly callbackUrl?: string | null | undefined;
  readonly waitAgreement?: number | null | undefined;
}

export interface TransactionParameter2 {
  readonly from: string;
  readonly to?: string | null | undefined;
  readonly gas?: string | null | undefined;
  readonly gasPrice?: string | null | undefined;
  readonly nonce?: string | null | undefined;
  readonly value?: string | null | undefined;
  readonly data?: string | null | undefined;
  readonly input?: string | null | undefined;
  readonly maxFeePerGas?: string | null | undefined;
  readonly maxPriorityFeePerGas?: string | null | undefined;
  readonly chainId?: string | null | undefined;
  readonly privateFrom: string;
  readonly privateFor?: readonly string[] | undefined;
  readonly privacyGroupId?: string | undefined;
  readonly restriction: string;
}

export interface MetaParameter {
  readonly Type: string;
  readonly Extra?: string | null | undefined;
}

export interface MessageParameter {
  readonly Version?: number | bigint | undefined;
  readonly To: string;
  readonly From: string;
  readonly Nonce: number | bigint;
  readonly Value: string;
  readonly GasLimit: number | bigint;
  readonly GasFeeCap: string;
  readonly GasPremium: string;
  readonly Method: number | bigint;
  readonly Params?: string | null | undefined;
}

export interface SignatureParameter {
  readonly Type: number;
  readonly Data: string;
}

/** Methods of a node: parameters, result, reasons of rejections. */
export interface NodeMethods {
  /** Active extensions of which this node is the initiator or the receiver. */
  chainExtension_activeExtensionContracts: {
    Parameters: [];
    ReturnType: readonly {
      readonly managementContractAddress: Address;
      readonly contractExtended: Address;
      readonly creationData: string;
      readonly initiator: Address;
      readonly recipient: Address;
      readonly recipientPtmKey: string;
    }[];
    Reasons: never;
  };
  /** Votes for or against an extension; false cancels it. */
  chainExtension_approveExtension: {
    Parameters: [addressToVoteOn: Address, vote: boolean, txArgs: TxArgsParameter];
    ReturnType: Hash;
    Reasons:
      | 'ACCOUNT_LIMIT_EXCEEDED'
      | 'ACCOUNT_LOCKED'
      | 'ACCOUNT_NOT_PERMITTED'
      | 'ALREADY_KNOWN'
      | 'ALREADY_VOTED'
      | 'CONTRACT_NOT_FOUND'
      | 'EXTENSION_COMPLETE'
      | 'FEE_CAP_TOO_LOW'
      | 'GAS_LIMIT_EXCEEDED'
      | 'GAS_PRICE_NOT_ZERO'
      | 'INIT_CODE_TOO_LARGE'
      | 'INSUFFICIENT_FUNDS'
      | 'INTRINSIC_GAS_TOO_LOW'
      | 'INVALID_PAYLOAD_HASH'
      | 'INVALID_PRIVACY_FLAG'
      | 'KEY_UNAVAILABLE'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NODE_NOT_PERMITTED'
      | 'NONCE_TOO_LOW'
      | 'NOT_AN_ADMIN_ACCOUNT'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NOT_THE_ACCEPTOR'
      | 'NO_DEFAULT_ACCOUNT'
      | 'NO_MANAGEMENT_CONTRACT'
      | 'NO_PRIVACY_METADATA'
      | 'OVERSIZED_DATA'
      | 'PARTIES_LEFT_OUT'
      | 'POOL_FULL'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_PARTICIPANTS_MISSING'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'PRIVATE_VALUE_NOT_SUPPORTED'
      | 'REPLACEMENT_UNDERPRICED'
      | 'SENDER_NOT_EOA'
      | 'TIP_ABOVE_FEE_CAP'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE'
      | 'TYPE_NOT_ACTIVE'
      | 'UNDERPRICED'
      | 'UNKNOWN_ACCOUNT';
  };
  /** Cancels an active extension. */
  chainExtension_cancelExtension: {
    Parameters: [extensionContract: Address, txArgs: TxArgsParameter];
    ReturnType: Hash;
    Reasons:
      | 'ACCOUNT_LIMIT_EXCEEDED'
      | 'ACCOUNT_LOCKED'
      | 'ACCOUNT_NOT_PERMITTED'
      | 'ALREADY_KNOWN'
      | 'CONTRACT_NOT_FOUND'
      | 'EXTENSION_COMPLETE'
      | 'FEE_CAP_TOO_LOW'
      | 'GAS_LIMIT_EXCEEDED'
      | 'GAS_PRICE_NOT_ZERO'
      | 'INIT_CODE_TOO_LARGE'
      | 'INSUFFICIENT_FUNDS'
      | 'INTRINSIC_GAS_TOO_LOW'
      | 'INVALID_PAYLOAD_HASH'
      | 'INVALID_PRIVACY_FLAG'
      | 'KEY_UNAVAILABLE'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NODE_NOT_PERMITTED'
      | 'NONCE_TOO_LOW'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NOT_THE_CREATOR'
      | 'NO_DEFAULT_ACCOUNT'
      | 'NO_MANAGEMENT_CONTRACT'
      | 'NO_PRIVACY_METADATA'
      | 'OVERSIZED_DATA'
      | 'PARTIES_LEFT_OUT'
      | 'POOL_FULL'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_PARTICIPANTS_MISSING'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'PRIVATE_VALUE_NOT_SUPPORTED'
      | 'REPLACEMENT_UNDERPRICED'
      | 'SENDER_NOT_EOA'
      | 'TIP_ABOVE_FEE_CAP'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE'
      | 'TYPE_NOT_ACTIVE'
      | 'UNDERPRICED'
      | 'UNKNOWN_ACCOUNT';
  };
  /** Starts to extend a private contract of this node to a new participant. */
  chainExtension_extendContract: {
    Parameters: [
      toExtend: Address,
      newRecipientPtmPublicKey: string,
      recipientAddress: Address,
      txArgs: TxArgsParameter,
    ];
    ReturnType: Hash;
    Reasons:
      | 'ACCOUNT_LIMIT_EXCEEDED'
      | 'ACCOUNT_LOCKED'
      | 'ACCOUNT_NOT_PERMITTED'
      | 'ALREADY_KNOWN'
      | 'CONTRACT_NOT_FOUND'
      | 'EXTENSION_IN_PROGRESS'
      | 'FEE_CAP_TOO_LOW'
      | 'GAS_LIMIT_EXCEEDED'
      | 'GAS_PRICE_NOT_ZERO'
      | 'INIT_CODE_TOO_LARGE'
      | 'INSUFFICIENT_FUNDS'
      | 'INTRINSIC_GAS_TOO_LOW'
      | 'INVALID_PAYLOAD_HASH'
      | 'INVALID_PRIVACY_FLAG'
      | 'INVALID_RECIPIENT'
      | 'INVALID_RECIPIENT_PTM_KEY'
      | 'KEY_UNAVAILABLE'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NODE_NOT_PERMITTED'
      | 'NONCE_TOO_LOW'
      | 'NOT_AN_ADMIN_ACCOUNT'
      | 'NOT_A_PRIVATE_CONTRACT'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NOT_THE_CONTRACT_CREATOR'
      | 'NO_DEFAULT_ACCOUNT'
      | 'NO_PRIVACY_METADATA'
      | 'OVERSIZED_DATA'
      | 'PARTIES_LEFT_OUT'
      | 'POOL_FULL'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'PRIVATE_VALUE_NOT_SUPPORTED'
      | 'RECIPIENT_PTM_KEY_MISMATCH'
      | 'REPLACEMENT_UNDERPRICED'
      | 'SENDER_NOT_EOA'
      | 'STORAGE_TOO_LARGE'
      | 'TIP_ABOVE_FEE_CAP'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE'
      | 'TYPE_NOT_ACTIVE'
      | 'UNDERPRICED'
      | 'UNKNOWN_ACCOUNT';
  };
  /** What an approval carries that is signed elsewhere: the argument nextuuid of doVote. */
  chainExtension_generateExtensionApprovalUuid: {
    Parameters: [addressToVoteOn: Address, externalSignerAddress: Address, txArgs: TxArgsParameter2];
    ReturnType: Hex;
    Reasons:
      | 'ALREADY_VOTED'
      | 'CONTRACT_NOT_FOUND'
      | 'EXTENSION_COMPLETE'
      | 'INVALID_PRIVACY_FLAG'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NOT_AN_ADMIN_ACCOUNT'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NOT_THE_ACCEPTOR'
      | 'NO_MANAGEMENT_CONTRACT'
      | 'NO_PRIVACY_METADATA'
      | 'PARTIES_LEFT_OUT'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_PARTICIPANTS_MISSING'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE';
  };
  /** DONE once an extension was accepted, rejected or cancelled, ACTIVE before. */
  chainExtension_getExtensionStatus: {
    Parameters: [managementContractAddress: Address];
    ReturnType: 'ACTIVE' | 'DONE';
    Reasons:
      | 'NO_MANAGEMENT_CONTRACT'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'TOO_MANY_CONCURRENT_REQUESTS';
  };
  /** What this node knows of a private contract before it is extended, and of its active extensions before they are approved. */
  chainExtension_inspect: {
    Parameters: [address: Address, newRecipientPtmPublicKey?: string | null | undefined];
    ReturnType: {
      readonly block: number;
      readonly contract: Address;
      readonly limits: { readonly slots: number; readonly bytes: number };
      readonly held?:
        | {
            readonly codeHash: Hash;
            readonly codeBytes: number;
            readonly balance: Hex;
            readonly nonce: Hex;
            readonly storageRoot: Hash;
            readonly privacyFlag: number;
            readonly parties?: readonly string[] | undefined;
            readonly slots?: number | undefined;
            readonly sharedBytes?: number | undefined;
            readonly isShareable: boolean;
            readonly refersTo: readonly {
              readonly address: Address;
              readonly foundIn: 'code' | 'storage';
              readonly privacyFlag: number;
              readonly parties?: readonly string[] | undefined;
              readonly isWithNewParty?: boolean | undefined;
            }[];
            readonly isSearchComplete: boolean;
          }
        | undefined;
      readonly extensions: readonly {
        readonly managementContractAddress: Address;
        readonly managementCodeHash?: Hash | undefined;
        readonly initiator: Address;
        readonly initiatorPtmKey?: string | undefined;
        readonly recipient: Address;
        readonly recipientPtmKey: string;
        readonly parties: readonly string[];
        readonly isInitiator: boolean;
        readonly isRecipient: boolean;
        readonly isApproved: boolean;
        readonly votes: readonly { readonly account: Address; readonly hasVoted: boolean }[];
        readonly heard?:
          | readonly {
              readonly ptmKey: string;
              readonly answer: 'stated' | 'confirmed' | 'contradicted' | 'silent';
              readonly node?: string | undefined;
              readonly codeHash?: Hash | undefined;
              readonly storageRoot?: Hash | undefined;
              readonly balance?: Hex | undefined;
              readonly nonce?: Hex | undefined;
            }[]
          | undefined;
      }[];
      readonly extensionCount: number;
    };
    Reasons:
      | 'NOT_A_PRIVATE_CONTRACT'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'TRANSACTION_MANAGER_UNAVAILABLE';
  };
  /** Permissioned accounts of the network. */
  chainPermission_acctList: {
    Parameters: [];
    ReturnType: readonly {
      readonly orgId: string;
      readonly roleId: string;
      readonly acctId: Address;
      readonly isOrgAdmin: boolean;
      readonly status: number;
    }[];
    Reasons: 'PERMISSIONING_NOT_ENABLED';
  };
  /** Links an account to an organization under a role. */
  chainPermission_addAccountToOrg: {
    Parameters: [acctId: Address, orgId: string, roleId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ACCOUNT_IN_USE'
      | 'INVALID_ACCOUNT'
      | 'INVALID_INPUT'
      | 'INVALID_ROLE'
      | 'NOT_ORG_ADMIN'
      | 'ORG_NOT_FOUND'
      | 'ORG_SHARE_REACHED'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Creates a role; that of a sub-organization must exist in the master organization. */
  chainPermission_addNewRole: {
    Parameters: [
      orgId: string,
      roleId: string,
      accountAccess: number,
      isVoter: boolean,
      isAdminRole: boolean,
      txArgs: TxArgsParameter,
    ];
    ReturnType: string;
    Reasons:
      | 'INVALID_ACCESS_TYPE'
      | 'INVALID_ACCOUNT'
      | 'INVALID_INPUT'
      | 'NOT_ORG_ADMIN'
      | 'ORG_NOT_FOUND'
      | 'ORG_SHARE_REACHED'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED'
      | 'ROLE_EXISTS';
  };
  /** Adds a node to an organization. */
  chainPermission_addNode: {
    Parameters: [orgId: string, enodeId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'HOST_NAME_NOT_SUPPORTED'
      | 'INVALID_ACCOUNT'
      | 'INVALID_INPUT'
      | 'INVALID_NODE'
      | 'NODE_ALREADY_PRESENT'
      | 'NOT_ORG_ADMIN'
      | 'ORG_NOT_FOUND'
      | 'ORG_SHARE_REACHED'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Proposes an organization with its first node and its admin account. */
  chainPermission_addOrg: {
    Parameters: [orgId: string, enodeId: string, accountId: Address, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ACCOUNT_IN_USE'
      | 'HOST_NAME_NOT_SUPPORTED'
      | 'INVALID_ACCOUNT'
      | 'INVALID_INPUT'
      | 'INVALID_NODE'
      | 'INVALID_ORG_NAME'
      | 'NODE_ALREADY_PRESENT'
      | 'NOT_NETWORK_ADMIN'
      | 'ORG_EXISTS'
      | 'PENDING_APPROVALS'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Adds a sub-organization; without a node of its own it inherits that of its parent. */
  chainPermission_addSubOrg: {
    Parameters: [parentOrgId: string, subOrgId: string, enodeId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'HOST_NAME_NOT_SUPPORTED'
      | 'INVALID_ACCOUNT'
      | 'INVALID_INPUT'
      | 'INVALID_NODE'
      | 'INVALID_ORG_NAME'
      | 'MAX_BREADTH_REACHED'
      | 'MAX_DEPTH_REACHED'
      | 'NODE_ALREADY_PRESENT'
      | 'NOT_ORG_ADMIN'
      | 'ORG_EXISTS'
      | 'ORG_NOT_FOUND'
      | 'ORG_SHARE_REACHED'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Approves an admin role that was assigned; the account has it once a majority has. */
  chainPermission_approveAdminRole: {
    Parameters: [orgId: string, acctId: Address, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'INVALID_ACCOUNT'
      | 'NOTHING_TO_APPROVE'
      | 'NOT_NETWORK_ADMIN'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Approves the recovery of a denylisted account; it is active once a majority has. */
  chainPermission_approveBlackListedAccountRecovery: {
    Parameters: [orgId: string, acctId: Address, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ACCOUNT_DENYLISTED'
      | 'ACCOUNT_NOT_FOUND'
      | 'ACCOUNT_ORG_MISMATCH'
      | 'INVALID_ACCOUNT'
      | 'NOTHING_TO_APPROVE'
      | 'NOT_NETWORK_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Approves the recovery of a denylisted node; it is active once a majority has. */
  chainPermission_approveBlackListedNodeRecovery: {
    Parameters: [orgId: string, enodeId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'HOST_NAME_NOT_SUPPORTED'
      | 'INVALID_ACCOUNT'
      | 'INVALID_NODE'
      | 'NODE_DENYLISTED'
      | 'NODE_NOT_FOUND'
      | 'NODE_ORG_MISMATCH'
      | 'NOTHING_TO_APPROVE'
      | 'NOT_NETWORK_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'ORG_NOT_FOUND'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Approves a proposed organization; it exists once a majority has. */
  chainPermission_approveOrg: {
    Parameters: [orgId: string, enodeId: string, accountId: Address, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'HOST_NAME_NOT_SUPPORTED'
      | 'INVALID_ACCOUNT'
      | 'INVALID_NODE'
      | 'NOTHING_TO_APPROVE'
      | 'NOT_NETWORK_ADMIN'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Approves the suspension (1) or the new activation (2) of an organization. */
  chainPermission_approveOrgStatus: {
    Parameters: [orgId: string, action: number, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'INVALID_ACCOUNT'
      | 'NOTHING_TO_APPROVE'
      | 'NOT_NETWORK_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Proposes a network admin, or another organization admin. */
  chainPermission_assignAdminRole: {
    Parameters: [orgId: string, acctId: Address, roleId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ACCOUNT_ALREADY_ORG_ADMIN'
      | 'ACCOUNT_IN_USE'
      | 'INVALID_ACCOUNT'
      | 'INVALID_INPUT'
      | 'NOT_NETWORK_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'ORG_NOT_FOUND'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Gives an account of an organization another role. */
  chainPermission_changeAccountRole: {
    Parameters: [acctId: Address, orgId: string, roleId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ACCOUNT_IN_USE'
      | 'INVALID_ACCOUNT'
      | 'INVALID_INPUT'
      | 'INVALID_ROLE'
      | 'NOT_ORG_ADMIN'
      | 'ORG_NOT_FOUND'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Whether a node may join the network. */
  chainPermission_connectionAllowed: {
    Parameters: [enodeId: string, ipAddress: string, portNum: number, raftPort?: number | null | undefined];
    ReturnType: boolean;
    Reasons: 'PERMISSIONING_NOT_ENABLED';
  };
  /** Whether a permission is given at the head, by which rule and records, and what an admin could do about it. */
  chainPermission_explain: {
    Parameters: [
      subject: 'account' | 'node' | 'org',
      id: string,
      action?: 'transfer' | 'call' | 'deploy' | 'extend' | 'connect' | null | null | undefined,
      to?: Address | null | undefined,
    ];
    ReturnType: {
      readonly block: number;
      readonly isAllowed: boolean;
      readonly rule: string;
      readonly reason: string;
      readonly remedy?: string | undefined;
      readonly records: {
        readonly account?:
          | {
              readonly orgId: string;
              readonly roleId: string;
              readonly acctId: Address;
              readonly isOrgAdmin: boolean;
              readonly status: number;
            }
          | undefined;
        readonly org?:
          | {
              readonly orgId: string;
              readonly fullOrgId: string;
              readonly parentOrgId: string;
              readonly ultimateParent: string;
              readonly level: number;
              readonly subOrgList: readonly string[] | null;
              readonly status: number;
            }
          | undefined;
        readonly masterOrg?:
          | {
              readonly orgId: string;
              readonly fullOrgId: string;
              readonly parentOrgId: string;
              readonly ultimateParent: string;
              readonly level: number;
              readonly subOrgList: readonly string[] | null;
              readonly status: number;
            }
          | undefined;
        readonly role?:
          | {
              readonly orgId: string;
              readonly roleId: string;
              readonly isVoter: boolean;
              readonly isAdmin: boolean;
              readonly access: number;
              readonly active: boolean;
            }
          | undefined;
        readonly nodes?:
          readonly { readonly orgId: string; readonly url: string; readonly status: number }[] | undefined;
      };
    };
    Reasons: 'INVALID_QUESTION' | 'PERMISSIONING_NOT_ENABLED';
  };
  /** Accounts, nodes, roles and sub-organizations of one organization. */
  chainPermission_getOrgDetails: {
    Parameters: [orgId: string];
    ReturnType: {
      readonly nodeList:
        readonly { readonly orgId: string; readonly url: string; readonly status: number }[] | null;
      readonly roleList:
        | readonly {
            readonly orgId: string;
            readonly roleId: string;
            readonly isVoter: boolean;
            readonly isAdmin: boolean;
            readonly access: number;
            readonly active: boolean;
          }[]
        | null;
      readonly acctList:
        | readonly {
            readonly orgId: string;
            readonly roleId: string;
            readonly acctId: Address;
            readonly isOrgAdmin: boolean;
            readonly status: number;
          }[]
        | null;
      readonly subOrgList: readonly string[] | null;
    };
    Reasons: 'ORG_NOT_FOUND' | 'PERMISSIONING_NOT_ENABLED';
  };
  /** Permissioned nodes of the network. */
  chainPermission_nodeList: {
    Parameters: [];
    ReturnType: readonly { readonly orgId: string; readonly url: string; readonly status: number }[];
    Reasons: 'PERMISSIONING_NOT_ENABLED';
  };
  /** Organizations of the network with their status. */
  chainPermission_orgList: {
    Parameters: [];
    ReturnType: readonly {
      readonly orgId: string;
      readonly fullOrgId: string;
      readonly parentOrgId: string;
      readonly ultimateParent: string;
      readonly level: number;
      readonly subOrgList: readonly string[] | null;
      readonly status: number;
    }[];
    Reasons: 'PERMISSIONING_NOT_ENABLED';
  };
  /** Which permissions a change would take and give, as if every vote on it were won. Nothing is sent. */
  chainPermission_previewChange: {
    Parameters: [
      change:
        | 'updateOrgStatus'
        | 'updateAccountStatus'
        | 'updateNodeStatus'
        | 'changeAccountRole'
        | 'assignAdminRole'
        | 'removeRole',
      words: readonly string[],
    ];
    ReturnType: {
      readonly block: number;
      readonly total: number;
      readonly changes: readonly {
        readonly subject: 'account' | 'node';
        readonly id: string;
        readonly action: 'transfer' | 'call' | 'deploy' | 'extend' | 'connect';
        readonly isAllowed: boolean;
      }[];
    };
    Reasons: 'INVALID_QUESTION' | 'PERMISSIONING_NOT_ENABLED';
  };
  /** Proposes to recover a denylisted account. */
  chainPermission_recoverBlackListedAccount: {
    Parameters: [orgId: string, acctId: Address, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ACCOUNT_NOT_FOUND'
      | 'ACCOUNT_ORG_MISMATCH'
      | 'INVALID_ACCOUNT'
      | 'NOT_NETWORK_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'PENDING_APPROVALS'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Proposes to recover a denylisted node. */
  chainPermission_recoverBlackListedNode: {
    Parameters: [orgId: string, enodeId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'HOST_NAME_NOT_SUPPORTED'
      | 'INVALID_ACCOUNT'
      | 'INVALID_NODE'
      | 'NODE_NOT_FOUND'
      | 'NODE_ORG_MISMATCH'
      | 'NOT_NETWORK_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'ORG_NOT_FOUND'
      | 'PENDING_APPROVALS'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Makes a role inactive for good. */
  chainPermission_removeRole: {
    Parameters: [orgId: string, roleId: string, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ADMIN_ROLE_NOT_REMOVABLE'
      | 'INVALID_ACCOUNT'
      | 'INVALID_ROLE'
      | 'NOT_ORG_ADMIN'
      | 'ORG_NOT_FOUND'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED'
      | 'ROLE_HAS_ACCOUNTS'
      | 'ROLE_INACTIVE';
  };
  /** Roles of the network. */
  chainPermission_roleList: {
    Parameters: [];
    ReturnType: readonly {
      readonly orgId: string;
      readonly roleId: string;
      readonly isVoter: boolean;
      readonly isAdmin: boolean;
      readonly access: number;
      readonly active: boolean;
    }[];
    Reasons: 'PERMISSIONING_NOT_ENABLED';
  };
  /** Whether the sender of a transaction has enough permission for it. */
  chainPermission_transactionAllowed: {
    Parameters: [txArgs: TxArgsParameter2];
    ReturnType: boolean;
    Reasons: 'PERMISSIONING_NOT_ENABLED';
  };
  /** Suspends (1), activates again (2) or denylists (3) an account. */
  chainPermission_updateAccountStatus: {
    Parameters: [orgId: string, acctId: Address, action: number, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'ACCOUNT_DENYLISTED'
      | 'ACCOUNT_NOT_FOUND'
      | 'ACCOUNT_ORG_MISMATCH'
      | 'INVALID_ACCOUNT'
      | 'NOT_ORG_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'ORG_NOT_FOUND'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Deactivates (1), activates again (2) or denylists (3) a node. */
  chainPermission_updateNodeStatus: {
    Parameters: [orgId: string, enodeId: string, action: number, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'HOST_NAME_NOT_SUPPORTED'
      | 'INVALID_ACCOUNT'
      | 'INVALID_NODE'
      | 'NODE_DENYLISTED'
      | 'NODE_NOT_FOUND'
      | 'NODE_ORG_MISMATCH'
      | 'NOT_ORG_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'ORG_NOT_FOUND'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Proposes to suspend (1) or to activate again (2) a master organization. */
  chainPermission_updateOrgStatus: {
    Parameters: [orgId: string, action: number, txArgs: TxArgsParameter];
    ReturnType: string;
    Reasons:
      | 'INVALID_ACCOUNT'
      | 'NOT_A_MASTER_ORG'
      | 'NOT_NETWORK_ADMIN'
      | 'OPERATION_NOT_ALLOWED'
      | 'ORG_NOT_FOUND'
      | 'PERMISSIONING_NOT_ENABLED'
      | 'PERMISSION_ACTION_FAILED';
  };
  /** Balance, nonce, code and storage of an account; of the private state where the account is private. */
  debug_dumpAddress: {
    Parameters: [
      address: Address,
      blockNumber: 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | string | number,
    ];
    ReturnType: {
      readonly balance: string;
      readonly nonce: number;
      readonly root: string;
      readonly codeHash: string;
      readonly code: string;
      readonly storage: Readonly<Record<string, string>>;
    };
    Reasons:
      | 'BLOCK_NOT_FOUND'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'STATE_NOT_AVAILABLE'
      | 'STATE_OBJECT_NOT_FOUND'
      | 'STORAGE_TOO_LARGE';
  };
  /** Root of the private state at a block. */
  debug_privateStateRoot: {
    Parameters: [blockNumber: 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | string | number];
    ReturnType: Hash;
    Reasons: 'BLOCK_NOT_FOUND' | 'PRIVACY_NOT_AVAILABLE' | 'PRIVATE_STATE_NOT_AVAILABLE';
  };
  /** Distributes a signed restricted private transaction and submits a privacy marker transaction for it, which the node signs. */
  eea_sendRawTransaction: {
    Parameters: [transaction: Hex];
    ReturnType: Hash;
    Reasons:
      | 'ACCOUNT_LIMIT_EXCEEDED'
      | 'ACCOUNT_NOT_PERMITTED'
      | 'ALREADY_KNOWN'
      | 'FEE_CAP_TOO_LOW'
      | 'GAS_LIMIT_EXCEEDED'
      | 'GAS_PRICE_NOT_ZERO'
      | 'INIT_CODE_TOO_LARGE'
      | 'INSUFFICIENT_FUNDS'
      | 'INTRINSIC_GAS_TOO_LOW'
      | 'INVALID_PAYLOAD_HASH'
      | 'MALFORMED_TRANSACTION'
      | 'NODE_NOT_PERMITTED'
      | 'NONCE_TOO_HIGH'
      | 'NONCE_TOO_LOW'
      | 'OVERSIZED_DATA'
      | 'PARTIES_LEFT_OUT'
      | 'POOL_FULL'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'PRIVATE_VALUE_NOT_SUPPORTED'
      | 'REPLACEMENT_UNDERPRICED'
      | 'SENDER_NOT_EOA'
      | 'TIP_ABOVE_FEE_CAP'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE'
      | 'TYPE_NOT_ACTIVE'
      | 'UNDERPRICED';
  };
  /** Passes a signed private transaction to the private transaction manager without placing it in the pool; the digest returned is the data of a privacy marker transaction that is signed elsewhere. */
  eth_distributePrivateTransaction: {
    Parameters: [transaction: Hex, privateData: PrivateDataParameter];
    ReturnType: Hex;
    Reasons:
      | 'CONTRACT_NOT_FOUND'
      | 'INVALID_CHAIN_ID'
      | 'INVALID_PRIVACY_FLAG'
      | 'INVALID_SIGNATURE'
      | 'MALFORMED_TRANSACTION'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NO_PRIVACY_METADATA'
      | 'PARTIES_LEFT_OUT'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE'
      | 'UNSUPPORTED_TRANSACTION_TYPE';
  };
  /** Fills in nonce, gas and gas price of a public or private transaction, for signing it offline. */
  eth_fillTransaction: {
    Parameters: [transaction: TxArgsParameter];
    ReturnType: {
      readonly raw: Hex;
      readonly tx: {
        readonly type?: '0x0' | '0x1' | '0x2' | undefined;
        readonly nonce: Hex;
        readonly gasPrice: Hex | null;
        readonly maxFeePerGas?: Hex | null | undefined;
        readonly maxPriorityFeePerGas?: Hex | null | undefined;
        readonly gas: Hex;
        readonly value: Hex;
        readonly input: Hex;
        readonly accessList?:
          readonly { readonly address: Address; readonly storageKeys: readonly Hex[] }[] | undefined;
        readonly chainId?: Hex | undefined;
        readonly v: Hex;
        readonly r: Hex;
        readonly s: Hex;
        readonly to: Address | null;
        readonly hash: Hash;
      };
    };
    Reasons:
      | 'BLOCK_NOT_FOUND'
      | 'CONTRACT_NOT_FOUND'
      | 'EMPTY_CONTRACT_CREATION'
      | 'EXECUTION_FAILED'
      | 'EXECUTION_TIMEOUT'
      | 'FEE_CAP_TOO_LOW'
      | 'GAS_REQUIRED_EXCEEDS_ALLOWANCE'
      | 'INSUFFICIENT_FUNDS'
      | 'INTRINSIC_GAS_TOO_LOW'
      | 'INVALID_CHAIN_ID'
      | 'INVALID_PRIVACY_FLAG'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NO_PRIVACY_METADATA'
      | 'PARTIES_LEFT_OUT'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'RESPONSE_TOO_LARGE'
      | 'STATE_NOT_AVAILABLE'
      | 'TIP_ABOVE_FEE_CAP'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE';
  };
  /** The unencrypted payload behind a digest, empty for a non-participant. */
  eth_getChainPayload: {
    Parameters: [id: string];
    ReturnType: Hex;
    Reasons: 'INVALID_DIGEST' | 'PRIVACY_NOT_AVAILABLE' | 'TRANSACTION_MANAGER_UNAVAILABLE';
  };
  /** How a private contract is protected, and which payload created it. */
  eth_getContractPrivacyMetadata: {
    Parameters: [address: Address];
    ReturnType: {
      readonly creationTxHash: Hex | string;
      readonly privacyFlag: number;
      readonly mandatoryFor?: readonly string[] | undefined;
    };
    Reasons:
      | 'NOT_A_PRIVATE_CONTRACT'
      | 'NO_PRIVACY_METADATA'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'TRANSACTION_MANAGER_UNAVAILABLE';
  };
  /** Address of the privacy precompile: the recipient of privacy marker transactions. */
  eth_getPrivacyPrecompileAddress: {
    Parameters: [];
    ReturnType: Address;
    Reasons: never;
  };
  /** The private transaction inside a privacy marker transaction, null for a non-participant. */
  eth_getPrivateTransactionByHash: {
    Parameters: [hash: Hash];
    ReturnType: {
      readonly blockHash: Hash;
      readonly blockNumber: Hex;
      readonly from: Address;
      readonly gas: Hex;
      readonly gasPrice: Hex;
      readonly hash: Hash;
      readonly input: Hex;
      readonly nonce: Hex;
      readonly to: Address | null;
      readonly transactionIndex: Hex;
      readonly value: Hex;
      readonly v: Hex;
      readonly r: Hex;
      readonly s: Hex;
    } | null;
    Reasons: 'PRIVACY_NOT_AVAILABLE' | 'PRIVATE_STATE_NOT_AVAILABLE';
  };
  /** Receipt of the private transaction inside a privacy marker transaction, null for a non-participant. */
  eth_getPrivateTransactionReceipt: {
    Parameters: [hash: Hash];
    ReturnType: {
      readonly blockHash: Hash;
      readonly blockNumber: Hex;
      readonly contractAddress: Address | null;
      readonly cumulativeGasUsed: Hex;
      readonly from: Address;
      readonly gasUsed: Hex;
      readonly logs: readonly {
        readonly address: Address;
        readonly topics: readonly Hash[];
        readonly data: Hex;
        readonly blockNumber: Hex;
        readonly transactionHash: Hash;
        readonly transactionIndex: Hex;
        readonly blockHash: Hash;
        readonly blockTimestamp?: Hex | undefined;
        readonly logIndex: Hex;
        readonly removed: boolean;
      }[];
      readonly logsBloom: Hex;
      readonly status: Hex;
      readonly to: Address | null;
      readonly transactionHash: Hash;
      readonly transactionIndex: Hex;
      readonly isPrivacyMarkerTransaction: boolean;
      readonly revertReason?: Hex | undefined;
    } | null;
    Reasons: 'MARKER_TRANSACTION_NOT_FOUND' | 'PRIVATE_STATE_NOT_AVAILABLE';
  };
  /** Submits a signed private transaction whose payload was stored in the private transaction manager. */
  eth_sendRawPrivateTransaction: {
    Parameters: [transaction: Hex, privateData: PrivateDataParameter];
    ReturnType: Hash;
    Reasons:
      | 'ACCOUNT_LIMIT_EXCEEDED'
      | 'ACCOUNT_NOT_PERMITTED'
      | 'ALREADY_KNOWN'
      | 'CONTRACT_NOT_FOUND'
      | 'FEE_CAP_TOO_LOW'
      | 'GAS_LIMIT_EXCEEDED'
      | 'GAS_PRICE_NOT_ZERO'
      | 'INIT_CODE_TOO_LARGE'
      | 'INSUFFICIENT_FUNDS'
      | 'INTRINSIC_GAS_TOO_LOW'
      | 'INVALID_CHAIN_ID'
      | 'INVALID_PAYLOAD_HASH'
      | 'INVALID_PRIVACY_FLAG'
      | 'INVALID_SIGNATURE'
      | 'MALFORMED_TRANSACTION'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NODE_NOT_PERMITTED'
      | 'NONCE_TOO_LOW'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NO_PRIVACY_METADATA'
      | 'OVERSIZED_DATA'
      | 'PARTIES_LEFT_OUT'
      | 'POOL_FULL'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'PRIVATE_VALUE_NOT_SUPPORTED'
      | 'REPLACEMENT_UNDERPRICED'
      | 'SENDER_NOT_EOA'
      | 'TIP_ABOVE_FEE_CAP'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE'
      | 'TYPE_NOT_ACTIVE'
      | 'UNDERPRICED'
      | 'UNSUPPORTED_TRANSACTION_TYPE';
  };
  /** Signs a transaction with an account of the node and submits it; private when privateFor is given. */
  eth_sendTransaction: {
    Parameters: [transaction: TxArgsParameter2];
    ReturnType: Hash;
    Reasons:
      | 'ACCOUNT_LIMIT_EXCEEDED'
      | 'ACCOUNT_LOCKED'
      | 'ACCOUNT_NOT_PERMITTED'
      | 'ALREADY_KNOWN'
      | 'CONTRACT_NOT_FOUND'
      | 'EMPTY_CONTRACT_CREATION'
      | 'FEE_CAP_TOO_LOW'
      | 'GAS_LIMIT_EXCEEDED'
      | 'GAS_PRICE_NOT_ZERO'
      | 'INIT_CODE_TOO_LARGE'
      | 'INSUFFICIENT_FUNDS'
      | 'INTRINSIC_GAS_TOO_LOW'
      | 'INVALID_CHAIN_ID'
      | 'INVALID_PAYLOAD_HASH'
      | 'INVALID_PRIVACY_FLAG'
      | 'KEY_UNAVAILABLE'
      | 'MANDATORY_RECIPIENTS_MISSING'
      | 'MANDATORY_RECIPIENTS_NOT_APPLICABLE'
      | 'NODE_NOT_PERMITTED'
      | 'NONCE_TOO_LOW'
      | 'NOT_A_PRIVATE_TRANSACTION'
      | 'NO_DEFAULT_ACCOUNT'
      | 'NO_PRIVACY_METADATA'
      | 'OVERSIZED_DATA'
      | 'PARTIES_LEFT_OUT'
      | 'POOL_FULL'
      | 'PRIVACY_ENHANCEMENTS_DISABLED'
      | 'PRIVACY_FLAG_MISMATCH'
      | 'PRIVACY_NOT_AVAILABLE'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'PRIVATE_VALUE_NOT_SUPPORTED'
      | 'REPLACEMENT_UNDERPRICED'
      | 'SENDER_NOT_EOA'
      | 'TIP_ABOVE_FEE_CAP'
      | 'TRANSACTION_MANAGER_REFUSED'
      | 'TRANSACTION_MANAGER_UNAVAILABLE'
      | 'TYPE_NOT_ACTIVE'
      | 'UNDERPRICED'
      | 'UNKNOWN_ACCOUNT';
  };
  /** As eth_sendTransaction, answered at once with zeros; the outcome is posted to callbackUrl, of a private transaction with the agreement of its parties, where waitAgreement milliseconds or --wait-agreement wait for it. */
  eth_sendTransactionAsync: {
    Parameters: [transaction: TransactionParameter];
    ReturnType: Hash;
    Reasons: 'CALLBACK_URL_NOT_ALLOWED' | 'TOO_MANY_CONCURRENT_REQUESTS';
  };
  /** Signs a transaction by an account of the node without submitting it; gas, gas price and nonce are needed. */
  eth_signTransaction: {
    Parameters: [transaction: TxArgsParameter2];
    ReturnType: {
      readonly raw: Hex;
      readonly tx: {
        readonly type?: '0x0' | '0x1' | '0x2' | undefined;
        readonly nonce: Hex;
        readonly gasPrice: Hex | null;
        readonly maxFeePerGas?: Hex | null | undefined;
        readonly maxPriorityFeePerGas?: Hex | null | undefined;
        readonly gas: Hex;
        readonly value: Hex;
        readonly input: Hex;
        readonly accessList?:
          readonly { readonly address: Address; readonly storageKeys: readonly Hex[] }[] | undefined;
        readonly chainId?: Hex | undefined;
        readonly v: Hex;
        readonly r: Hex;
        readonly s: Hex;
        readonly to: Address | null;
        readonly hash: Hash;
      };
    };
    Reasons:
      | 'ACCOUNT_LOCKED'
      | 'EMPTY_CONTRACT_CREATION'
      | 'GAS_NOT_SPECIFIED'
      | 'GAS_PRICE_NOT_SPECIFIED'
      | 'INVALID_CHAIN_ID'
      | 'INVALID_PAYLOAD_HASH'
      | 'KEY_UNAVAILABLE'
      | 'NONCE_NOT_SPECIFIED'
      | 'NO_DEFAULT_ACCOUNT'
      | 'UNKNOWN_ACCOUNT';
  };
  /** Root of the storage of an account; of the private state for a private contract. */
  eth_storageRoot: {
    Parameters: [
      address: Address,
      block?:
        | 'latest'
        | 'earliest'
        | 'pending'
        | 'safe'
        | 'finalized'
        | string
        | number
        | 'latest'
        | 'earliest'
        | 'pending'
        | 'safe'
        | 'finalized'
        | Hash
        | Hex
        | {
            readonly blockHash?: Hash | undefined;
            readonly blockNumber?: 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | Hex | undefined;
            readonly requireCanonical?: boolean | undefined;
          }
        | null
        | undefined,
    ];
    ReturnType: Hash;
    Reasons:
      | 'BLOCK_NOT_FOUND'
      | 'INVALID_BLOCK_NUMBER'
      | 'PRIVATE_STATE_NOT_AVAILABLE'
      | 'STATE_NOT_AVAILABLE'
      | 'STATE_OBJECT_NOT_FOUND';
  };
  /** Candidates that this node tries to vote in (true) or out (false). */
  ibft_candidates: {
    Parameters: [];
    ReturnType: Readonly<Record<string, boolean>>;
    Reasons: 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Drops a candidate; votes already cast stay in the snapshot. */
  ibft_discard: {
    Parameters: [address: Address];
    ReturnType: null;
    Reasons: 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Proposer and committers of a block. */
  ibft_getSignersFromBlock: {
    Parameters: [
      blockNumber?:
        'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | string | number | null | undefined,
    ];
    ReturnType:
      | {
          readonly number: number;
          readonly hash: Hash;
          readonly author: Address;
          readonly committers: readonly Address[] | null;
        }
      | {
          readonly Number: number;
          readonly Hash: Hash;
          readonly Author: Address;
          readonly Committers: readonly Address[] | null;
        };
    Reasons: 'BLOCK_NOT_FOUND' | 'CONSENSUS_NOT_AVAILABLE' | 'INVALID_SIGNATURE';
  };
  /** Proposer and committers of a block. */
  ibft_getSignersFromBlockByHash: {
    Parameters: [blockHash: Hash];
    ReturnType:
      | {
          readonly number: number;
          readonly hash: Hash;
          readonly author: Address;
          readonly committers: readonly Address[] | null;
        }
      | {
          readonly Number: number;
          readonly Hash: Hash;
          readonly Author: Address;
          readonly Committers: readonly Address[] | null;
        };
    Reasons: 'BLOCK_NOT_FOUND' | 'CONSENSUS_NOT_AVAILABLE' | 'INVALID_SIGNATURE';
  };
  /** Validators and open votes after a block. */
  ibft_getSnapshot: {
    Parameters: [
      blockNumber?:
        'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | string | number | null | undefined,
    ];
    ReturnType: {
      readonly epoch: number;
      readonly number: number;
      readonly hash: Hash;
      readonly votes:
        | readonly {
            readonly validator: Address;
            readonly block: number;
            readonly address: Address;
            readonly authorize: boolean;
          }[]
        | null;
      readonly tally: Readonly<Record<string, { readonly authorize: boolean; readonly votes: number }>>;
      readonly validators: readonly Address[];
      readonly policy: number;
    };
    Reasons: 'BLOCK_NOT_FOUND' | 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Validators and open votes after a block. */
  ibft_getSnapshotAtHash: {
    Parameters: [blockHash: Hash];
    ReturnType: {
      readonly epoch: number;
      readonly number: number;
      readonly hash: Hash;
      readonly votes:
        | readonly {
            readonly validator: Address;
            readonly block: number;
            readonly address: Address;
            readonly authorize: boolean;
          }[]
        | null;
      readonly tally: Readonly<Record<string, { readonly authorize: boolean; readonly votes: number }>>;
      readonly validators: readonly Address[];
      readonly policy: number;
    };
    Reasons: 'BLOCK_NOT_FOUND' | 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Validators after a block, in ascending order. */
  ibft_getValidators: {
    Parameters: [
      blockNumber?:
        'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | string | number | null | undefined,
    ];
    ReturnType: readonly Address[];
    Reasons: 'BLOCK_NOT_FOUND' | 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Validators after a block, in ascending order. */
  ibft_getValidatorsAtHash: {
    Parameters: [blockHash: Hash];
    ReturnType: readonly Address[];
    Reasons: 'BLOCK_NOT_FOUND' | 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Whether this node is a validator after a block. */
  ibft_isValidator: {
    Parameters: [
      blockNumber?:
        'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | string | number | null | undefined,
    ];
    ReturnType: boolean;
    Reasons: 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Address of the node key. */
  ibft_nodeAddress: {
    Parameters: [];
    ReturnType: Address;
    Reasons: 'CONSENSUS_NOT_AVAILABLE';
  };
  /** Makes an address a candidate: every block this node proposes votes it in (true) or out (false). */
  ibft_propose: {
    Parameters: [address: Address, auth: boolean];
    ReturnType: null;
    Reasons: 'CONSENSUS_NOT_AVAILABLE' | 'TOO_MANY_CANDIDATES';
  };
  /** Blocks proposed by each validator in a range without its end; the last 64 blocks when left out. */
  ibft_status: {
    Parameters: [startBlockNumber?: number | null | undefined, endBlockNumber?: number | null | undefined];
    ReturnType: { readonly numBlocks: number; readonly sealerActivity: Readonly<Record<string, number>> };
    Reasons: 'CONSENSUS_NOT_AVAILABLE' | 'INVALID_BLOCK_RANGE';
  };
  /** The same for the group that a sender and recipients make up. */
  priv_getEeaTransactionCount: {
    Parameters: [address: Address, privateFrom: string, privateFor: readonly string[]];
    ReturnType: Hex;
    Reasons: 'PRIVACY_NOT_AVAILABLE' | 'PRIVATE_STATE_NOT_AVAILABLE';
  };
  /** How many restricted transactions an account has sent in a privacy group: its next nonce there. */
  priv_getTransactionCount: {
    Parameters: [address: Address, privacyGroupId: string];
    ReturnType: Hex;
    Reasons: 'PRIVACY_NOT_AVAILABLE' | 'PRIVATE_STATE_NOT_AVAILABLE';
  };
  /** Receipt of the restricted transaction behind a privacy marker transaction; null for a non-participant. */
  priv_getTransactionReceipt: {
    Parameters: [hash: Hash];
    ReturnType: {
      readonly blockHash: Hash;
      readonly blockNumber: Hex;
      readonly transactionHash: Hash;
      readonly transactionIndex: Hex;
      readonly commitmentHash: Hash;
      readonly from: Address;
      readonly to: Address | null;
      readonly contractAddress: Address | null;
      readonly output: Hex;
      readonly status: Hex;
      readonly logs: readonly {
        readonly address: Address;
        readonly topics: readonly Hash[];
        readonly data: Hex;
        readonly blockNumber: Hex;
        readonly transactionHash: Hash;
        readonly transactionIndex: Hex;
        readonly blockHash: Hash;
        readonly blockTimestamp?: Hex | undefined;
        readonly logIndex: Hex;
        readonly removed: boolean;
      }[];
      readonly logsBloom: Hex;
      readonly privateFrom: string;
      readonly privateFor?: readonly string[] | undefined;
      readonly privacyGroupId?: string | undefined;
    } | null;
    Reasons: 'PRIVACY_NOT_AVAILABLE' | 'PRIVATE_STATE_NOT_AVAILABLE';
  };
  /** Adds a node that follows the chain and transacts without a vote; the result is its raft id. */
  raft_addLearner: {
    Parameters: [enodeId: string];
    ReturnType: number | string;
    Reasons:
      | 'ALREADY_IN_CLUSTER'
      | 'CLUSTER_REFUSED'
      | 'ENDPOINT_IN_USE'
      | 'INVALID_ENODE'
      | 'LEARNER_NOT_ALLOWED'
      | 'NOT_A_CLUSTER_MEMBER'
      | 'NO_LEADER'
      | 'RAFT_NOT_AVAILABLE';
  };
  /** Adds a node with a vote; the result is its raft id. */
  raft_addPeer: {
    Parameters: [enodeId: string];
    ReturnType: number | string;
    Reasons:
      | 'ALREADY_IN_CLUSTER'
      | 'CLUSTER_REFUSED'
      | 'ENDPOINT_IN_USE'
      | 'INVALID_ENODE'
      | 'LEARNER_NOT_ALLOWED'
      | 'NOT_A_CLUSTER_MEMBER'
      | 'NO_LEADER'
      | 'RAFT_NOT_AVAILABLE';
  };
  /** Nodes of the cluster, this one last. */
  raft_cluster: {
    Parameters: [];
    ReturnType: readonly {
      readonly hostName: string;
      readonly hostname: string;
      readonly nodeActive: boolean;
      readonly nodeId: string;
      readonly p2pPort: number;
      readonly raftId: number | string;
      readonly raftPort: number;
      readonly role: 'minter' | 'verifier' | 'learner' | '';
    }[];
    Reasons: 'RAFT_NOT_AVAILABLE';
  };
  /** Node id of the leader. */
  raft_leader: {
    Parameters: [];
    ReturnType: string;
    Reasons: 'NO_LEADER' | 'RAFT_NOT_AVAILABLE';
  };
  /** Gives a learner a vote. */
  raft_promoteToPeer: {
    Parameters: [raftId: string];
    ReturnType: boolean;
    Reasons:
      | 'CLUSTER_REFUSED'
      | 'LEARNER_NOT_ALLOWED'
      | 'NOT_A_CLUSTER_MEMBER'
      | 'NOT_A_LEARNER'
      | 'NO_LEADER'
      | 'RAFT_NOT_AVAILABLE';
  };
  /** Removes a node from the cluster for good. */
  raft_removePeer: {
    Parameters: [raftId: string];
    ReturnType: null;
    Reasons:
      'CLUSTER_REFUSED' | 'LEARNER_NOT_ALLOWED' | 'NOT_A_CLUSTER_MEMBER' | 'NO_LEADER' | 'RAFT_NOT_AVAILABLE';
  };
  /** Role of this node; empty without a leader. */
  raft_role: {
    Parameters: [];
    ReturnType: 'minter' | 'verifier' | 'learner' | '';
    Reasons: 'RAFT_NOT_AVAILABLE';
  };
  /** Exposed modules with the version of each. */
  rpc_modules: {
    Parameters: [];
    ReturnType: Readonly<Record<string, string>>;
    Reasons: never;
  };
}

/** Methods of a signer that a node does not have. */
export interface SignerMethods {
  /** Signs a restricted private transaction and submits it to the Ethereum client. */
  eea_sendTransaction: {
    Parameters: [transaction: TransactionParameter2];
    ReturnType: Hash;
    Reasons:
      | 'CHAIN_ID_MISMATCH'
      | 'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT'
      | 'DATABASE_UNAVAILABLE'
      | 'DOWNSTREAM_NODE_NOT_TRUSTED'
      | 'FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE'
      | 'IDEMPOTENCY_KEY_IN_FLIGHT'
      | 'IDEMPOTENCY_KEY_REUSED'
      | 'KEY_LOADING'
      | 'KEY_UNAVAILABLE'
      | 'POLICY_RATE_EXCEEDED'
      | 'POLICY_REFUSED'
      | 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT'
      | 'TOO_MANY_CONCURRENT_REQUESTS';
  };
}

/** Methods of a wallet of a coin network. */
export interface WalletMethods {
  /** Whether the wallet holds the key of an address. */
  'Coin.WalletHas': {
    Parameters: [address: string];
    ReturnType: boolean;
    Reasons: 'DATABASE_UNAVAILABLE' | 'INVALID_COIN_ADDRESS';
  };
  /** Addresses whose keys the wallet holds, sorted. */
  'Coin.WalletList': {
    Parameters: [];
    ReturnType: readonly string[];
    Reasons: 'DATABASE_UNAVAILABLE';
  };
  /** Signs data with the key of an address. */
  'Coin.WalletSign': {
    Parameters: [address: string, data: string, meta?: MetaParameter | null | undefined];
    ReturnType: { readonly Type: number; readonly Data: string };
    Reasons:
      | 'BLIND_SIGNING_REFUSED'
      | 'DAMAGED_KEY'
      | 'DATABASE_UNAVAILABLE'
      | 'INVALID_COIN_ADDRESS'
      | 'INVALID_COIN_MESSAGE'
      | 'KEY_UNAVAILABLE'
      | 'MESSAGE_META_MISMATCH'
      | 'MESSAGE_META_REQUIRED'
      | 'NO_KEYS_FOR_ADDRESS'
      | 'OVERSIZED_DATA'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'VAULT_CHANGED';
  };
  /** Signs the content id of a message with the key of an address. */
  'Coin.WalletSignMessage': {
    Parameters: [address: string, message: MessageParameter];
    ReturnType: {
      readonly Message: {
        readonly Version?: number | bigint | undefined;
        readonly To: string;
        readonly From: string;
        readonly Nonce: number | bigint;
        readonly Value: string;
        readonly GasLimit: number | bigint;
        readonly GasFeeCap: string;
        readonly GasPremium: string;
        readonly Method: number | bigint;
        readonly Params?: string | null | undefined;
      };
      readonly Signature: { readonly Type: number; readonly Data: string };
    };
    Reasons:
      | 'DAMAGED_KEY'
      | 'DATABASE_UNAVAILABLE'
      | 'INVALID_COIN_ADDRESS'
      | 'INVALID_COIN_MESSAGE'
      | 'KEY_UNAVAILABLE'
      | 'NO_KEYS_FOR_ADDRESS'
      | 'TOO_MANY_CONCURRENT_REQUESTS'
      | 'VAULT_CHANGED';
  };
  /** Whether a signature of data is by the key of an address, which the wallet need not hold. */
  'Coin.WalletVerify': {
    Parameters: [address: string, data: string, signature: SignatureParameter];
    ReturnType: boolean;
    Reasons: 'INVALID_COIN_ADDRESS' | 'SIGNATURE_TYPE_MISMATCH' | 'TOO_MANY_CONCURRENT_REQUESTS';
  };
}
