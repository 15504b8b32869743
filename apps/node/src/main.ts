import { setFlagsFromString } from 'node:v8';
import { packageVersion, printLine, runMain } from '@tetrad/service';
import { nodeOptions } from './options/config.js';

const version = packageVersion(import.meta.url);

// Transactions live for about a block, long enough to reach the old generation. By default it may grow to several
// times the live size before it is collected, which is wrong for a container with a memory limit.
setFlagsFromString('--heap-growing-percent=30');

const [command, ...rest] = process.argv.slice(2);

if (command === 'enode') {
  const { describeEnode, enodeOptions } = await import('./commands/enode-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node enode: prints address and enode URL of the node, and the hash of its genesis file. The node key is created when it does not exist.',
    usage: 'node enode [OPTIONS]',
    options: enodeOptions,
    argv: rest,
    start: (config) => printLine(describeEnode(config)),
  });
} else if (command === 'backup') {
  const { backUpNode, backupOptions } = await import('./commands/backup-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node backup: writes chain and private state at one block to a new folder; the node may be running. Private state is not encrypted in it.',
    usage: 'node backup --out DIR [OPTIONS]',
    options: backupOptions,
    argv: rest,
    start: (config, environment) => printLine(backUpNode(config, environment)),
  });
} else if (command === 'restore') {
  const { restoreNode, restoreOptions } = await import('./commands/backup-command.js');
  await runMain({
    name: 'node',
    version,
    description: 'node restore: restores a backup to an empty database, completely or not at all.',
    usage: 'node restore --from DIR [OPTIONS]',
    options: restoreOptions,
    argv: rest,
    start: (config, environment) => printLine(restoreNode(config, environment)),
  });
} else if (command === 're-execute-private') {
  const { reExecuteOptions, reExecutePrivate } = await import('./commands/re-execute-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node re-execute-private: executes private transactions again from a block on, after lost payloads have come back; the node must not be running. Without --from it names the blocks that need it; --from auto begins with the first of them.',
    usage: 'node re-execute-private [--from BLOCK|auto] [OPTIONS]',
    options: reExecuteOptions,
    argv: rest,
    start: (config, environment) => printLine(reExecutePrivate(config, environment)),
  });
} else if (command === 'replace-validators') {
  const { replaceOptions, replaceValidators } = await import('./commands/replace-validators-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node replace-validators: replaces the validators after the head, when so many are lost that no block is decided any more. With --validators and --out it writes the genesis file for all nodes; with that file it puts it in force in the database of a node, which must not be running.',
    usage: 'node replace-validators [--validators LIST --out FILE] [OPTIONS]',
    options: replaceOptions,
    argv: rest,
    start: (config, environment) => printLine(replaceValidators(config, environment)),
  });
} else if (command === 'import-chain') {
  const { MAX_FILES, importOptions, startImport } = await import('./commands/import-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node import-chain: imports the blocks that geth export wrote, compressed or not, into the database of the node, which must not be running. Every block is checked with its seals and executed. Run again, it goes on after the last stored block.',
    usage: 'node import-chain FILE… [OPTIONS]',
    options: importOptions,
    argv: rest,
    maxWords: MAX_FILES,
    start: startImport,
  });
} else if (command === 'export-state') {
  const { exportOptions, exportStateFile } = await import('./commands/state-file-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node export-state: writes headers and the newest state but one to a file, with proofs, for a node that has no peers; the node must not be running.',
    usage: 'node export-state --out FILE [OPTIONS]',
    options: exportOptions,
    argv: rest,
    start: (config, environment) => printLine(exportStateFile(config, environment)),
  });
} else if (command === 'import-state') {
  const { importStateFile } = await import('./commands/state-file-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node import-state: takes the state of a block from a file that node export-state wrote, into an empty database. All of it is verified, as with --sync state. Run again, it goes on where it was.',
    usage: 'node import-state FILE [OPTIONS]',
    options: nodeOptions,
    argv: rest,
    maxWords: 1,
    start: (config, environment, words) => printLine(importStateFile(config, environment, words)),
  });
} else if (command === 'record-backup') {
  const { recordNodeBackup, recordOptions } = await import('./commands/backup-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node record-backup: records in the database that a backup was made, or verified. The node, which may be running, shows the age of both as metrics.',
    usage: 'node record-backup --from DIR [OPTIONS]',
    options: recordOptions,
    argv: rest,
    start: (config, environment) => printLine(recordNodeBackup(config, environment)),
  });
} else if (command === 'deploy-permissions') {
  const { deployNetworkPermissions, deployOptions } = await import('./commands/deploy-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node deploy-permissions: deploys the permission contracts on a network that is not permissioned yet, and writes the permission-config.json that makes it so, together with --permissioned.',
    usage: 'node deploy-permissions --from ADDRESS --admin-accounts LIST [OPTIONS]',
    options: deployOptions,
    otherOptions: nodeOptions,
    argv: rest,
    start: (config) => printLine(deployNetworkPermissions(config)),
  });
} else if (command === 'permission' && rest[0] === 'explain') {
  const { explainArguments, explainOptions, explainPermissions } =
    await import('./commands/explain-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node permission explain: asks a node which rule and records give or refuse a permission, and what an admin could do about it; with --dry-run, who would lose or gain what by a change.',
    usage: 'node permission explain account|node|org ID [OPTIONS]',
    options: explainOptions,
    otherOptions: nodeOptions,
    argv: rest.slice(1),
    translateArguments: explainArguments,
    start: (config) => printLine(explainPermissions(config)),
  });
} else if (command === 'agreement' && rest[0] === 'check') {
  const { checkAgreement, checkOptions } = await import('./commands/check-agreement-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node agreement check: asks a node which parties of private transactions do not have the same results, and whether older blocks agree; exit code 1 when a party has other results.',
    usage: 'node agreement check [OPTIONS]',
    options: checkOptions,
    otherOptions: nodeOptions,
    argv: rest.slice(1),
    async start(config) {
      const { text, isDiverged } = await checkAgreement(config);
      if (isDiverged) process.exitCode = 1;
      return printLine(text);
    },
  });
} else if (command === 'agreement' && rest[0] === 'repair') {
  const { repairContract, repairOptions } = await import('./commands/repair-contract-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node agreement repair: has a node replace its state of a private contract by what another party has after the next block, once others have signed the same. Private transactions wait for it meanwhile. The node keeps what it had, and tells the others.',
    usage: 'node agreement repair --contract ADDRESS --from KEY --reason TEXT [OPTIONS]',
    options: repairOptions,
    otherOptions: nodeOptions,
    argv: rest.slice(1),
    start: (config) => printLine(repairContract(config)),
  });
} else if (command === 'agreement' && rest[0] === 'allow-repair') {
  const { allowRepair, allowRepairOptions } = await import('./commands/repair-contract-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node agreement allow-repair: allows another party of a private contract its whole state for some time, so that it can repair its own.',
    usage: 'node agreement allow-repair --contract ADDRESS --to KEY [OPTIONS]',
    options: allowRepairOptions,
    otherOptions: nodeOptions,
    argv: rest.slice(1),
    start: (config) => printLine(allowRepair(config)),
  });
} else if (command === 'agreement' && rest[0] === 'explain') {
  const { explainAgreement, explainAgreementArguments, explainAgreementOptions } =
    await import('./commands/explain-agreement-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node agreement explain: asks a node which is the first transaction of a private contract on which another party differs, what differs first, and why where the node can know.',
    usage: 'node agreement explain ADDRESS [OPTIONS]',
    options: explainAgreementOptions,
    otherOptions: nodeOptions,
    argv: rest.slice(1),
    translateArguments: explainAgreementArguments,
    start: (config) => printLine(explainAgreement(config)),
  });
} else if (command === 'extension' && rest[0] === 'inspect') {
  const { inspectArguments, inspectExtension, inspectOptions } =
    await import('./commands/inspect-extension-command.js');
  await runMain({
    name: 'node',
    version,
    description:
      'node extension inspect: asks a node what it knows of a private contract before it is extended to a new party, and of an extension before it is approved: code, size, parties, other private contracts it refers to, votes.',
    usage: 'node extension inspect ADDRESS [OPTIONS]',
    options: inspectOptions,
    otherOptions: nodeOptions,
    argv: rest.slice(1),
    translateArguments: inspectArguments,
    start: (config) => printLine(inspectExtension(config)),
  });
} else {
  await runMain({
    name: 'node',
    version,
    description:
      'A permissioned, privacy-enabled ledger node for private Ethereum networks. node enode prints its enode URL; node backup and node restore save and restore its data; node re-execute-private brings private state right after lost payloads have come back; node replace-validators gives a network that lost its quorum a new one; node import-chain reads a chain from files; node export-state and node import-state hand a state over as a file; node deploy-permissions deploys the permission contracts; node permission explain says why a permission is given or refused; node agreement check says which parties have other private results, node agreement explain why, and node agreement repair takes the state of a contract from one of them.',
    options: nodeOptions,
    async start(config, environment) {
      // Loaded once the options are known to be valid: the node is a thousand files.
      if (!config.verify) {
        const { composeNode } = await import('./compose.js');
        return composeNode(config, environment);
      }
      const { verifyNode } = await import('./commands/verify-node.js');
      const verified = await verifyNode(config, environment);
      return printLine(JSON.stringify({ verified: true, ...verified }));
    },
  });
}
