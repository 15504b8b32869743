import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

/**
 * Writes the migration from the committed ones to prisma/SERVICE/*.prisma, which was edited before, on a PostgreSQL of its own, with its
 * checksum, and makes the client anew. What a schema cannot say is added to its SQL by hand, and changes the checksum (CONTRIBUTING.md,
 * "Migrations").
 *
 * @param tree of Nx
 * @param {{ service: string, name: string }} options
 * @returns what is done then; with --dry-run that is nothing
 */
export default function migration(tree, { service, name }) {
  if (!tree.exists(`prisma/${service}/schema.prisma`)) throw new Error(`migration: ${service} has no schema`);
  return () => {
    const { root } = tree;
    runProgram(root, 'libs/bundle/transpile.mjs');
    runProgram(root, 'libs/schema/dist/main.js', 'migrate', 'new', service, name);
    writeFileSync(join(root, 'prisma/migrations.sha256'), checksums(join(root, 'prisma')));
    runProgram(root, 'libs/schema/dist/main.js', 'generate');
  };
}

/** A line for each migration, as sha256sum writes them. */
function checksums(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => /^[^/]+\/migrations\/[^/]+\/migration\.sql$/.test(file))
    .sort();
  return files
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');
}
