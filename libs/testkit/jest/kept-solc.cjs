/* eslint-disable @typescript-eslint/no-require-imports -- Jest gives what is required, as the compiler is, no module */
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** Loaded when something is not compiled yet: nine megabytes. */
const compiler = () => require('solc/wrapper')(require('solc/soljson.js'));

/**
 * The Solidity compiler for tests: compiles each input once in a run, whichever file asks for it first. The answers are in the folder
 * of the run, which ends with it.
 */
module.exports = {
  version: () => compiler().version(),
  compile(input, callbacks) {
    const folder = process.env.TETRAD_TEST_RUN_DIR;
    // What is read by a callback is not part of the input.
    if (folder === undefined || callbacks !== undefined) return compiler().compile(input, callbacks);
    const kept = join(folder, 'compiled');
    const path = join(kept, createHash('sha256').update(input).digest('hex'));
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    const output = compiler().compile(input);
    mkdirSync(kept, { recursive: true });
    // Another process never sees half of it.
    writeFileSync(`${path}.${process.pid}`, output);
    renameSync(`${path}.${process.pid}`, path);
    return output;
  },
};
