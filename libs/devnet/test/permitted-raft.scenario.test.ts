import { testPermittedNetwork } from './private-clients/permitted-network-tests.js';
import { describeWithEtcd } from './raft/raft-cluster.js';

describeWithEtcd('./tetrad up --permissioned under raft', () => testPermittedNetwork('raft'));
