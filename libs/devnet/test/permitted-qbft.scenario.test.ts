import { describe } from '@jest/globals';
import { testPermittedNetwork } from './private-clients/permitted-network-tests.js';

describe('./tetrad up --permissioned under qbft', () => testPermittedNetwork('qbft'));
