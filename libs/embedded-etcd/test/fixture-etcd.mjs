// Holds a cluster of one member until it is killed; run as a process by owner.scenario.test.ts.
import { startEtcdCluster } from '@tetrad/embedded-etcd';

const silent = () => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent, child: () => logger };
const cluster = await startEtcdCluster({ folder: process.argv[2], members: 1, logger });
process.stdout.write(`${cluster.endpoints.join(' ')}\n`);
setInterval(() => undefined, 60_000);
