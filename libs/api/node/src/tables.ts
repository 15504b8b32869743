import { acceptAnyLetterCase } from '@tetrad/rpc';
import { adminMethods } from './admin.js';
import { chainExtensionApprovalMethods, chainExtensionMethods } from './chain-extension.js';
import { chainPermissionExplanationMethods, chainPermissionMethods } from './chain-permission.js';
import { agreementMethods } from './agreement.js';
import { contractRepairMethods } from './contract-repairs.js';
import { chainExtensionInspectionMethods } from './extension-inspection.js';
import { debugMethods } from './debug.js';
import { debugStateMethods } from './debug-state.js';
import { debugTraceMethods } from './debug-traces.js';
import { erigonMethods } from './erigon.js';
import { explorerMethods } from './explorer.js';
import { minerMethods } from './miner.js';
import { debugStandardMethods } from './debug-standard.js';
import { ethMethods, ethPrivacyGroupMethods } from './eth.js';
import { ethStandardMethods } from './eth-standard.js';
import { ibftMethods } from './ibft.js';
import { otsMethods } from './ots.js';
import { raftMethods } from './raft.js';
import { traceMethods } from './trace.js';
import { txpoolMethods } from './txpool.js';
import { netMethods, rpcMethods, web3Methods } from './web3.js';

/** The methods of the interface document that the node serves. */
export const nodeMethods = acceptAnyLetterCase({
  ...chainExtensionMethods,
  ...debugMethods,
  ...ibftMethods,
  ...chainPermissionMethods,
  ...ethMethods,
  ...raftMethods,
});

/** The methods of the public Ethereum execution API, of GoQuorum's client libraries, and of ours, that the node serves besides. */
export const nodeStandardMethods = acceptAnyLetterCase({
  ...ethStandardMethods,
  ...debugStandardMethods,
  ...debugTraceMethods,
  ...debugStateMethods,
  ...traceMethods,
  ...otsMethods,
  ...erigonMethods,
  ...explorerMethods,
  ...minerMethods,
  ...txpoolMethods,
  ...netMethods,
  ...web3Methods,
  ...rpcMethods,
  ...adminMethods,
  ...ethPrivacyGroupMethods,
  ...chainExtensionApprovalMethods,
  ...chainExtensionInspectionMethods,
  ...agreementMethods,
  ...contractRepairMethods,
  ...chainPermissionExplanationMethods,
});
